! since: 22: earlier ones refuse a reduction of teams
! teams and distribute, alone and combined with parallel do (with a
! reduction or a chunk, Flang 22 lets each team run the whole loop).
program teams
  use checks
  implicit none
  integer :: i, of_teams(0:7), hits(100), most
  of_teams = 0
  !$omp teams num_teams(3) thread_limit(2)
  of_teams(omp_get_team_num()) = omp_get_num_teams()
  !$omp end teams
  call expect('up to three teams', all(of_teams(0:of_teams(0) - 1) == of_teams(0)) .and. of_teams(0) <= 3 .and. sum(of_teams) == of_teams(0)**2)

  hits = 0
  most = 0
  !$omp teams num_teams(2) reduction(max:most)
  !$omp distribute
  do i = 1, 100
    hits(i) = hits(i) + 1
    most = max(most, i)
  end do
  !$omp end teams
  call expect('distribute', all(hits == 1) .and. most == 100)

  hits = 0
  !$omp teams distribute parallel do num_teams(2) num_threads(2)
  do i = 1, 100
    hits(i) = hits(i) + 1
  end do
  call expect('teams distribute parallel do', all(hits == 1))
  call finish
end program
