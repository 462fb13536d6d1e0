! critical with and without names, atomic in its forms, locks, single with copyprivate, master, flush.
program exclusion
  use checks
  implicit none
  integer :: i, plain, named, added, captured, greatest, by_lock, by_nest, winners, given(0:3)
  integer(omp_lock_kind) :: lock
  integer(omp_nest_lock_kind) :: nest
  integer :: value
  plain = 0; named = 0; added = 0; greatest = 0; by_lock = 0; by_nest = 0; winners = 0
  call omp_init_lock(lock)
  call omp_init_nest_lock(nest)
  !$omp parallel num_threads(4) private(i, captured)
  do i = 1, 2000
    !$omp critical
    plain = plain + 1
    !$omp end critical
    !$omp critical (a_name)
    named = named + 1
    !$omp end critical (a_name)
    !$omp atomic
    added = added + 2
    !$omp atomic capture
    captured = greatest
    greatest = greatest + 1
    !$omp end atomic
    call omp_set_lock(lock)
    by_lock = by_lock + 1
    call omp_unset_lock(lock)
    call omp_set_nest_lock(nest)
    call omp_set_nest_lock(nest)
    by_nest = by_nest + 1
    call omp_unset_nest_lock(nest)
    call omp_unset_nest_lock(nest)
  end do
  !$omp flush
  !$omp master
  winners = winners + 1
  !$omp end master
  !$omp end parallel
  call expect('critical', plain == 8000 .and. named == 8000)
  call expect('atomic', added == 16000 .and. greatest == 8000)
  call expect('locks', by_lock == 8000 .and. by_nest == 8000 .and. winners == 1)
  call expect('a free lock can be had', omp_test_lock(lock) .and. omp_test_nest_lock(nest) == 1)
  call omp_unset_lock(lock)
  call omp_unset_nest_lock(nest)
  call omp_destroy_lock(lock)
  call omp_destroy_nest_lock(nest)

  given = 0
  do i = 1, 100
    !$omp parallel num_threads(4) private(value)
    value = -1
    !$omp single
    value = i
    !$omp end single copyprivate(value)
    given(omp_get_thread_num()) = value
    !$omp end parallel
    if (any(given /= i)) call expect('copyprivate', .false.)
  end do
  call finish
end program
