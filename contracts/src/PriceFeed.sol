// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The price of one BNB in US dollars, told by its owner
/// @notice Stands where a real chain has a Chainlink aggregator and answers in the same form, with 8 decimals.
contract PriceFeed {
    /// @notice The owner told a new price.
    event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt);

    /// @notice Only the owner tells the price.
    error NotOwner(address caller);

    /// @notice A price is above zero.
    error AnswerNotPositive(int256 answer);

    uint8 public constant decimals = 8;
    uint256 public constant version = 1;
    string public constant description = "BNB / USD";

    /// @notice Who tells the price.
    address public immutable owner;

    int256 private answer;
    uint80 private roundId;
    uint64 private updatedAt;

    constructor(int256 firstAnswer) {
        owner = msg.sender;
        _update(firstAnswer);
    }

    /// @notice Tells a new price, in 10^-8 dollars. Only by the owner.
    function setAnswer(int256 newAnswer) external {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        _update(newAnswer);
    }

    /// @notice The last price, in 10^-8 dollars, and when it was told.
    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (roundId, answer, updatedAt, updatedAt, roundId);
    }

    function _update(int256 newAnswer) private {
        if (newAnswer <= 0) revert AnswerNotPositive(newAnswer);
        answer = newAnswer;
        roundId += 1;
        updatedAt = uint64(block.timestamp);
        emit AnswerUpdated(newAnswer, roundId, block.timestamp);
    }
}
