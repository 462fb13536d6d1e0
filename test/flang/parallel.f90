! Teams: their size and members, if, num_threads, private and firstprivate variables, nested regions, proc_bind.
program parallel
  use checks
  implicit none
  integer :: i, n, own, first, inner, outer, seen(0:7)
  seen = 0
  !$omp parallel num_threads(4)
  seen(omp_get_thread_num()) = omp_get_num_threads()
  !$omp end parallel
  call expect('four members, each once', all(seen(0:3) == 4) .and. all(seen(4:7) == 0))

  n = 0
  !$omp parallel num_threads(4) if(n > 0) reduction(+:n)
  n = n + omp_get_num_threads() + 10 * omp_get_level() + 100 * omp_get_active_level()
  !$omp end parallel
  call expect('a region that is not active', n == 11)

  own = -1
  first = 5
  seen = 0
  !$omp parallel num_threads(3) private(own) firstprivate(first) proc_bind(close)
  own = omp_get_thread_num()
  first = first + own
  !$omp barrier
  seen(own) = first
  !$omp end parallel
  call expect('copies of the members', all(seen(0:2) == [5, 6, 7]) .and. own == -1 .and. first == 5)

  call omp_set_max_active_levels(2)
  outer = 0
  inner = 0
  !$omp parallel num_threads(2) reduction(+:outer)
  outer = outer + 1
  !$omp parallel num_threads(3) private(i)
  i = omp_get_ancestor_thread_num(1) * 10 + omp_get_team_size(1) + omp_get_level()
  if (i /= 4 .and. i /= 14) call expect('ancestors', .false.)
  !$omp atomic
  inner = inner + 1
  !$omp end parallel
  !$omp end parallel
  call expect('nested regions', outer == 2 .and. inner == 6)
  call finish
end program
