! since: 20: earlier ones copy a firstprivate variable when the task begins, not when it is made
! Tasks that make tasks, taskwait, taskgroup, taskyield, depend, if, final, and tasks of a single member.
module numbers
  use checks
contains
  recursive function fibonacci(n) result(found)
    integer, intent(in) :: n
    integer :: found, a, b
    if (n < 2) then
      found = n
      return
    end if
    !$omp task shared(a) firstprivate(n)
    a = fibonacci(n - 1)
    !$omp end task
    !$omp task shared(b) firstprivate(n) final(n < 6)
    b = fibonacci(n - 2)
    !$omp end task
    !$omp taskwait
    found = a + b
  end function
end module

program tasks
  use numbers
  implicit none
  integer :: found, i, count, chain, copies(10)
  !$omp parallel num_threads(4)
  !$omp single
  found = fibonacci(15)
  !$omp end single
  !$omp end parallel
  call expect('tasks of tasks', found == 610)

  count = 0
  copies = 0
  !$omp parallel num_threads(3)
  !$omp single
  !$omp taskgroup
  do i = 1, 10
    !$omp task firstprivate(i) shared(copies, count) if(mod(i, 3) > 0)
    copies(i) = i
    !$omp task shared(count)
    !$omp atomic
    count = count + 1
    !$omp taskyield
    !$omp end task
    !$omp end task
  end do
  !$omp end taskgroup
  call expect('a group is over', count == 10 .and. all(copies == [(i, i = 1, 10)]))
  !$omp end single
  !$omp end parallel

  chain = 1
  !$omp parallel num_threads(4)
  !$omp master
  do i = 1, 20
    !$omp task depend(inout: chain) shared(chain) firstprivate(i)
    chain = mod(chain * 3 + i, 1009)
    !$omp end task
  end do
  !$omp taskwait
  !$omp end master
  !$omp end parallel
  found = 1
  do i = 1, 20
    found = mod(found * 3 + i, 1009)
  end do
  call expect('a chain of dependences', chain == found)
  call finish
end program
