// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAgentShares} from "./IAgentShares.sol";

/// @title The bonding curve
/// @dev Money is counted in units of 1 ether / 16000, a whole number of wei, as is 5 % of it: share i is worth i²
/// units, and units become wei by one multiplication. Nothing is divided, so nothing is rounded.
library Curve {
    uint256 internal constant PRICE_PER_UNIT = 1 ether / 16_000;
    uint256 internal constant FEE_PER_UNIT = PRICE_PER_UNIT / 20;
    uint256 internal constant COST_PER_UNIT = PRICE_PER_UNIT + 2 * FEE_PER_UNIT;
    uint256 internal constant PROCEEDS_PER_UNIT = PRICE_PER_UNIT - 2 * FEE_PER_UNIT;

    /// @dev With it, the units of a trade stay below 2^71 and its wei below 2^118.
    uint256 internal constant MAX_SUPPLY = type(uint24).max;

    /// @dev The sum of i² for i from `supply` to `supply + amount - 1`.
    function units(uint256 supply, uint256 amount) internal pure returns (uint256) {
        if (supply > MAX_SUPPLY || amount > MAX_SUPPLY - supply) revert IAgentShares.SupplyTooLarge(supply, amount);
        unchecked {
            return squaresBelow(supply + amount) - squaresBelow(supply);
        }
    }

    /// @dev The sum of i² for i from 0 to `n - 1`. For n = 0 the factor n - 1 wraps and is multiplied away.
    function squaresBelow(uint256 n) private pure returns (uint256) {
        unchecked {
            return n * (n - 1) * (2 * n - 1) / 6;
        }
    }
}
