{-# OPTIONS_GHC -Wno-orphans #-}

-- | The schedules and ranges that the properties of loops choose from.
module Properties.Schedules (Range (..), allSchedules) where

import GHC.OpenMP.Schedule
import Test.Tasty.QuickCheck

instance Arbitrary Schedule where
  arbitrary = oneof
    [ pure Auto
    , pure Static
    , StaticChunk <$> choose (-1, 70)
    , Dynamic <$> choose (-1, 70)
    , Guided <$> choose (-1, 70)
    ]

allSchedules :: [Schedule]
allSchedules = [Auto, Static, StaticChunk 1, StaticChunk 7, Dynamic 1, Dynamic 64, Guided 1, Guided 16]

-- | @from@ and @to@: empty, backward, short and long ones, anywhere.
data Range = Range Int Int deriving (Show)

instance Arbitrary Range where
  arbitrary = do
    from <- oneof [choose (-50, 50), choose (minBound, maxBound - 100000), pure (maxBound - 20)]
    count <- oneof [choose (-3, 3), choose (0, 100), choose (0, 20000)]
    pure (Range from (if from > 0 && count > maxBound - from then maxBound else from + count))
