! threadprivate variables and common blocks, which the runtime copies for each thread; copyin.
module of_threads
  integer, save :: own = 11
  !$omp threadprivate(own)
end module

program threadprivate
  use checks
  use of_threads
  implicit none
  integer :: i, in_common, seen(0:3)
  common /block/ in_common
  !$omp threadprivate(/block/)
  own = 5
  in_common = 40
  !$omp parallel num_threads(4) copyin(own)
  own = own + omp_get_thread_num()
  in_common = omp_get_thread_num()
  !$omp end parallel
  do i = 1, 20
    seen = -1
    !$omp parallel num_threads(4)
    seen(omp_get_thread_num()) = own * 10 + in_common
    !$omp end parallel
    if (any(seen /= [50, 61, 72, 83])) call expect('copies stay', .false.)
  end do
  call expect('the first one is the variable itself', own == 5 .and. in_common == 0)
  call finish
end program
