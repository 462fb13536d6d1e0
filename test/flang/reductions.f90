! Reductions by operators and intrinsics, of integers, reals and logicals, over loops, sections and regions.
program reductions
  use checks
  implicit none
  integer :: i, s, p, least, most, ands, ors, xors, round
  real(8) :: total
  logical :: every, any_of, same
  do round = 1, 50
    s = 7; p = 1; least = huge(least); most = -huge(most); ands = -1; ors = 0; xors = 0
    total = 0.5d0; every = .true.; any_of = .false.; same = .true.
    !$omp parallel do num_threads(mod(round, 7) + 1) reduction(+:s, total) reduction(min:least) reduction(max:most) &
    !$omp& reduction(.and.:every) reduction(.or.:any_of)
    do i = 1, 60
      s = s + i
      total = total + i * 0.25d0
      least = min(least, i * 3)
      most = max(most, i * 3)
      every = every .and. i < 61
      any_of = any_of .or. i == 33
    end do
    call expect('sum', s == 7 + 1830)
    call expect('sum of reals', total == 0.5d0 + 1830 * 0.25d0)
    call expect('min and max', least == 3 .and. most == 180)
    call expect('logicals', every .and. any_of)

    !$omp parallel num_threads(5) reduction(*:p) reduction(iand:ands) reduction(ior:ors) reduction(ieor:xors)
    p = p * (omp_get_thread_num() + 1)
    ands = iand(ands, not(ishft(1, omp_get_thread_num())))
    ors = ior(ors, ishft(1, omp_get_thread_num()))
    xors = ieor(xors, ishft(3, omp_get_thread_num()))
    !$omp end parallel
    call expect('product', p == 120)
    call expect('bits', ands == not(31) .and. ors == 31 .and. xors == 33)

    !$omp parallel do num_threads(4) reduction(.eqv.:same)
    do i = 1, 20
      same = same .eqv. (mod(i, 2) == 0)
    end do
    call expect('equivalence', same)
  end do
  call finish
end program
