! since: 22: earlier ones refuse taskloop
! taskloop with its clauses, and threads that share an array by workshare.  Flang keeps a taskloop's bounds in the data that
! its tasks share.  With such code LLVM's runtimes 14 and 19 execute some iterations twice.
program taskloops
  use checks
  implicit none
  integer :: i, hits(300)
  real(8) :: a(1000), b(1000)
  hits = 0
  !$omp parallel num_threads(4)
  !$omp single
  !$omp taskloop shared(hits)
  do i = 1, 100
    hits(i) = hits(i) + 1
  end do
  !$omp taskloop grainsize(7) shared(hits)
  do i = 200, 101, -1
    hits(i) = hits(i) + 1
  end do
  !$omp taskloop num_tasks(5) shared(hits)
  do i = 201, 300
    hits(i) = hits(i) + 1
  end do
  !$omp end single
  !$omp end parallel
  call expect('each iteration once', all(hits == 1))

  a = 1
  !$omp parallel num_threads(3)
  !$omp workshare
  a = a + 1
  b = a * 2
  !$omp end workshare
  !$omp end parallel
  call expect('workshare', all(a == 2) .and. all(b == 4))
  call finish
end program
