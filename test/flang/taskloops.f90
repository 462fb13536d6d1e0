! since: 22: earlier ones refuse taskloop
! taskloop with its clauses, and threads that share an array by workshare.  Flang keeps a taskloop's bounds in the data that
! its tasks share.  With such code LLVM's runtimes 14 and 19 execute some iterations twice.
program taskloops
  use checks
  implicit none
  type point
    real(8) :: x(5) = 3
    integer :: k = 4
  end type
  integer :: i, j, p, last, hits(300), array(40)
  real(8) :: a(1000), b(1000), x
  integer, allocatable :: c(:)
  type(point) :: d
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

  ! Private data that must be copied or allocated: Flang passes a function that does it for each task.
  hits = 0; p = 77; x = 2.5d0; array = 9; last = 0
  allocate(c(100)); c = 6
  !$omp parallel num_threads(4)
  !$omp single
  !$omp taskloop firstprivate(p, x)
  do i = 1, 100; if (p == 77 .and. x == 2.5d0) hits(i) = hits(i) + 1; end do
  !$omp taskloop firstprivate(array) grainsize(7)
  do i = 101, 200; hits(i) = hits(i) + array(1 + mod(i, 40)) / 9; end do
  !$omp taskloop firstprivate(c) num_tasks(5)
  do i = 201, 300; hits(i) = hits(i) + c(i - 200) / 6; end do
  !$omp taskloop firstprivate(d) lastprivate(last) shared(hits) nogroup
  do i = 1, 100; hits(i) = hits(i) + (d%k + int(d%x(5))) / 7; last = i; end do
  !$omp taskwait
  !$omp taskloop private(c)
  do i = 101, 200; c = i; hits(i) = hits(i) + c(100) / i; end do
  !$omp taskloop firstprivate(p)
  do i = 21, 30
    !$omp taskloop firstprivate(p)
    do j = 1, 10; hits(i * 10 - 10 + j) = hits(i * 10 - 10 + j) + p / 77; end do
  end do
  !$omp end single
  !$omp end parallel
  call expect('each iteration twice, with private copies', all(hits == 2))
  call expect('the last value', last == 100)
  hits = 0
  !$omp parallel num_threads(4)
  !$omp single
  !$omp taskloop firstprivate(x)
  do i = 300, 1, -3; if (x == 2.5d0) hits(i - 2:i) = hits(i - 2:i) + 1; end do
  !$omp end single
  !$omp end parallel
  call expect('a step of -3', all(hits == 1))

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
