-- | What this package throws at a call that it cannot carry out. Each exception says what was given, what was expected, what happens now, and
-- where the call is in the program.
--
-- @since 0.2.0
module GHC.OpenMP.Refusal
  ( BadArgument (..)
  , LoopTooLong (..)
  ) where

import Control.Exception (Exception)
import GHC.Stack (CallStack, prettyCallStack)

-- | An argument that a function does not take.
--
-- @since 0.2.0
data BadArgument = BadArgument
  { badFunction :: String  -- ^ the function, with its module
  , badGiven :: String     -- ^ what it got
  , badExpected :: String  -- ^ what it takes
  , badOutcome :: String   -- ^ what has become of the call
  , badCallStack :: CallStack
  }

instance Show BadArgument where
  showsPrec _ e = showString (badFunction e) . showString ": got " . showString (badGiven e) . showString ", expected "
    . showString (badExpected e) . showString "; " . showString (badOutcome e) . shown (badCallStack e)

instance Exception BadArgument

-- | A range of more than 'maxBound' iterations. None was executed.
--
-- @since 0.2.0
data LoopTooLong = LoopTooLong
  { loopFrom :: Int
  , loopTo :: Int -- ^ the first number that is not in the range
  , loopCallStack :: CallStack
  }

instance Show LoopTooLong where
  showsPrec _ e = showString "GHC.OpenMP: a loop from " . shows (loopFrom e) . showString " to " . shows (loopTo e)
    . showString " has more iterations than an Int holds, expected at most maxBound; none was executed. Split it" . shown (loopCallStack e)

instance Exception LoopTooLong

shown :: CallStack -> ShowS
shown stack = showChar '\n' . showString (prettyCallStack stack)
