! What every program here uses: a count of failures, which becomes the exit status.
module checks
  use omp_lib
  implicit none
  integer :: wrong = 0
contains
  subroutine expect(what, is_so)
    character(*), intent(in) :: what
    logical, intent(in) :: is_so
    if (is_so) return
    !$omp critical (wrong_is)
    wrong = wrong + 1
    print *, 'wrong: ', what
    !$omp end critical (wrong_is)
  end subroutine

  subroutine finish
    if (wrong > 0) stop 1
    print *, 'right'
  end subroutine
end module
