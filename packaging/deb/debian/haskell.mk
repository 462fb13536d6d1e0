# The class for Haskell libraries of haskell-devscripts, without the rest of cdbs: that calls helpers that
# debhelper has no more at level 13.  What cdbs would have told the class:
DEB_PACKAGES := $(filter libghc-%,$(shell dh_listpackages))
cdbs_curpkg = $(notdir $@)

include /usr/share/cdbs/1/class/hlibrary.mk
