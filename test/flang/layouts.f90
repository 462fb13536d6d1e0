! since: 22: earlier ones refuse taskloop
! with: test/abi/witness.c
! env: OMP_MAX_TASK_PRIORITY=10
! What Flang's code and the runtime must agree on, as witness.c sees it between them, and the results.
program layouts
  use checks
  use iso_c_binding
  implicit none
  interface
    subroutine witness_expects(in_variable, inout_variable) bind(C)
      import
      type(c_ptr), value :: in_variable, inout_variable
    end subroutine
    integer(c_int) function witness_ends(kinds) bind(C)
      import
      integer(c_int), value :: kinds
    end function
  end interface
  ! as in witness.h: all but destructors and reductions
  integer(c_int), parameter :: kinds = 1 + 2 + 8 + 16 + 32 + 64
  integer(8), target :: first, second
  integer :: i, hits(100), p
  integer, allocatable :: c(:)
  first = 3; second = 0; hits = 0; p = 77
  allocate(c(5)); c = 6
  call witness_expects(c_loc(first), c_loc(second))
  !$omp parallel num_threads(4)
  !$omp single
  do i = 1, 100
    !$omp task firstprivate(p) shared(first, second) priority(7) depend(in: first) depend(inout: second)
    second = second + first + p
    !$omp end task
  end do
  !$omp taskwait
  !$omp taskloop firstprivate(p, c) shared(hits)
  do i = 1, 100; hits(i) = hits(i) + p / 77 + c(5) / 6; end do
  !$omp taskloop private(c) grainsize(3) shared(hits)
  do i = 1, 100; c = 1; hits(i) = hits(i) + c(5); end do
  !$omp end single
  !$omp end parallel
  call expect('the sum', second == 100 * (3 + 77))
  call expect('each iteration', all(hits == 3))
  call expect('what witness.c has seen', witness_ends(kinds) == 0)
  call finish
end program
