! since: 22: earlier ones refuse cancel
! env: OMP_CANCELLATION=true
! cancel of a loop, sections, a taskgroup and a region, and cancellation points.
program cancel
  use checks
  implicit none
  integer :: i, done, after, made
  call expect('it may be cancelled', omp_get_cancellation())
  done = 0
  after = 0
  !$omp parallel num_threads(4)
  !$omp do schedule(dynamic) reduction(+:done)
  do i = 1, 100000
    done = done + 1
    if (i == 50) then
      !$omp cancel do
    end if
    !$omp cancellation point do
  end do
  !$omp end do
  !$omp atomic
  after = after + 1
  !$omp end parallel
  call expect('a loop ends early, and the region goes on', done < 100000 .and. after == 4)

  after = 0
  !$omp parallel num_threads(4)
  !$omp cancel parallel
  !$omp atomic
  after = after + 1
  !$omp end parallel
  call expect('a region ends', after == 0)

  made = 0
  after = 0
  !$omp parallel num_threads(4)
  !$omp single
  !$omp taskgroup
  do i = 1, 1000
    !$omp task shared(made)
    !$omp atomic
    made = made + 1
    !$omp cancel taskgroup
    !$omp atomic
    made = made + 1000000
    !$omp end task
  end do
  !$omp end taskgroup
  after = 1
  !$omp end single
  !$omp end parallel
  call expect('a group ends', made < 1000000 .and. made > 0 .and. after == 1)
  call finish
end program
