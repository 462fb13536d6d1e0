! since: 20: in the module of earlier ones omp_get_cancellation is an integer
! The module omp_lib: settings as they were set, levels, places, time.
program library
  use checks
  implicit none
  integer :: kind, chunk, limit
  double precision :: began
  integer(omp_sched_kind) :: schedule
  call expect('version of the module', openmp_version >= 199810)
  began = omp_get_wtime()
  call omp_set_num_threads(3)
  call expect('threads', omp_get_max_threads() == 3 .and. omp_get_num_threads() == 1 .and. omp_get_thread_num() == 0)
  call omp_set_dynamic(.true.)
  call expect('dynamic', omp_get_dynamic())
  call omp_set_dynamic(.false.)
  call expect('not dynamic', .not. omp_get_dynamic())
  call omp_set_schedule(omp_sched_dynamic, 6)
  call omp_get_schedule(schedule, chunk)
  call expect('schedule', iand(int(schedule), 7) == omp_sched_dynamic .and. chunk == 6)
  call omp_set_max_active_levels(4)
  call expect('levels', omp_get_max_active_levels() == 4 .and. omp_get_level() == 0 .and. omp_get_team_size(0) == 1)
  call expect('outside', .not. omp_in_parallel() .and. .not. omp_in_final() .and. omp_get_ancestor_thread_num(1) == -1)
  limit = omp_get_thread_limit()
  kind = omp_get_proc_bind()
  call expect('machine', omp_get_num_procs() > 0 .and. limit > 2 .and. kind >= omp_proc_bind_false .and. omp_get_num_places() >= 0)
  call expect('devices', omp_is_initial_device() .and. omp_get_num_teams() == 1 .and. omp_get_team_num() == 0)
  call expect('no cancellation', .not. omp_get_cancellation())
  !$omp parallel
  call expect('inside', omp_in_parallel() .and. omp_get_num_threads() == 3 .and. omp_get_level() == 1 .and. omp_get_active_level() == 1)
  !$omp end parallel
  call expect('time', omp_get_wtime() >= began .and. omp_get_wtick() > 0)
  call finish
end program
