! Loops: bounds of every kind, schedules, collapse, ordered, lastprivate; and sections.
program loops
  use checks
  implicit none
  integer(8), parameter :: far = 3000000000_8
  integer :: i, j, k, last, part(4), hits(0:40), order(20), position
  integer(8) :: l, sum8
  real :: x

  hits = 0
  !$omp parallel do num_threads(3)
  do i = 0, 40
    hits(i) = hits(i) + 1
  end do
  call expect('each iteration once', all(hits == 1))

  hits = 0
  !$omp parallel do num_threads(4) schedule(static, 3) lastprivate(last)
  do i = 40, 1, -2
    hits(i) = hits(i) + 1
    last = i
  end do
  call expect('backwards in steps', all(hits(2:40:2) == 1) .and. sum(hits) == 20 .and. last == 2)

  hits = 0
  !$omp parallel num_threads(4)
  !$omp do schedule(dynamic, 2)
  do i = 0, 40
    hits(i) = hits(i) + 1
  end do
  !$omp do schedule(guided)
  do i = 0, 40
    hits(i) = hits(i) + 1
  end do
  !$omp do schedule(runtime)
  do i = 5, 4
    hits(i) = -100
  end do
  !$omp do schedule(auto)
  do i = 0, 40
    hits(i) = hits(i) + 1
  end do
  !$omp end parallel
  call expect('schedules', all(hits == 3))

  call omp_set_schedule(omp_sched_guided, 4)
  hits = 0
  !$omp parallel do schedule(runtime) num_threads(3)
  do i = -20, 20
    hits(i + 20) = hits(i + 20) + 1
  end do
  call expect('schedule(runtime)', all(hits == 1))

  sum8 = 0
  !$omp parallel do reduction(+:sum8) num_threads(3)
  do l = far, far + 999
    sum8 = sum8 + l - far
  end do
  call expect('bounds of eight bytes', sum8 == 499500)

  sum8 = 0
  !$omp parallel do collapse(3) reduction(+:sum8) num_threads(4)
  do i = 1, 5
    do j = 2, 8, 3
      do k = 3, 1, -1
        sum8 = sum8 + 100 * i + 10 * j + k
      end do
    end do
  end do
  call expect('collapsed loops', sum8 == 100 * 15 * 9 + 10 * 15 * 15 + 2 * 45)

  position = 0
  !$omp parallel do ordered schedule(dynamic) num_threads(4)
  do i = 1, 20
    x = real(i)
    !$omp ordered
    position = position + 1
    order(position) = i
    !$omp end ordered
  end do
  call expect('ordered', all(order == [(i, i = 1, 20)]))

  part = 0
  !$omp parallel sections num_threads(3)
  !$omp section
  part(1) = part(1) + 1
  !$omp section
  part(2) = part(2) + 1
  !$omp section
  part(3) = part(3) + 1
  !$omp section
  part(4) = part(4) + 1
  !$omp end parallel sections
  call expect('sections', all(part == 1))
  call finish
end program
