// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Curve} from "./Curve.sol";
import {IAgentShares} from "./IAgentShares.sol";
import {Protocol} from "./Protocol.sol";

/// @title Shares of AI agents on a bonding curve
/// @dev Read IAgentShares first, then Curve for the units that money is counted in. Both fees are the same part of a
/// price, so one counter per agent accrues them for both receivers, and what each has claimed is counted beside it.
/// Fees are never pushed: a trade calls nobody but the trader itself, and only after all state is written.
contract AgentShares is IAgentShares, Protocol {
    /// @dev 96 bits of fee units are worth 10^23 BNB, so they do not run out; adding to them is checked all the same.
    struct Agent {
        // First slot: all that a trade touches besides the trader's balance.
        uint64 supply;
        uint96 feeUnits;
        uint96 protocolClaimedUnits;
        // Second slot.
        address owner;
        uint96 ownerClaimedUnits;
        mapping(address holder => uint256) balances;
    }

    /// @inheritdoc IAgentShares
    uint256 public constant MAX_SUPPLY = Curve.MAX_SUPPLY;

    mapping(address subject => Agent) private agents;

    bool private transient entered;

    /// @dev Held by everything that moves shares or money, so that no receiver of a payment can act in the middle of
    /// one.
    modifier guarded() {
        if (entered) revert Reentered();
        entered = true;
        _;
        entered = false;
    }

    constructor(address operator_, address protocolFeeDestination_) Protocol(operator_, protocolFeeDestination_) {}

    /*//////////////////////////////////////////////////////////////
                                 LAUNCH
    //////////////////////////////////////////////////////////////*/

    /// @inheritdoc IAgentShares
    function launch(address subject, string calldata name, bytes calldata permit) external guarded {
        _launch(subject, name, permit, 1);
    }

    /// @inheritdoc IAgentShares
    function launch(address subject, string calldata name, bytes calldata permit, uint256 amount)
        external
        payable
        guarded
    {
        _launch(subject, name, permit, amount);
    }

    function _launch(address subject, string calldata name, bytes calldata permit, uint256 amount) private {
        bytes32 nameHash = keccak256(bytes(name));
        address derived = _subjectOf(msg.sender, nameHash);
        if (subject != derived) revert WrongSubject(derived, subject);

        Agent storage agent = agents[subject];
        if (agent.owner != address(0)) revert AlreadyLaunched(subject);
        _checkPermit(subject, nameHash, permit);

        agent.owner = msg.sender;
        emit Launched(subject, msg.sender, name);
        _buy(agent, subject, 0, amount, type(uint256).max);
    }

    /*//////////////////////////////////////////////////////////////
                                 TRADES
    //////////////////////////////////////////////////////////////*/

    /// @inheritdoc IAgentShares
    function buyShares(address subject, uint256 amount) external payable guarded {
        _buyLaunched(subject, amount, type(uint256).max);
    }

    /// @inheritdoc IAgentShares
    function buyShares(address subject, uint256 amount, uint256 maxCost, uint256 deadline) external payable guarded {
        if (block.timestamp > deadline) revert DeadlinePassed(deadline);
        _buyLaunched(subject, amount, maxCost);
    }

    /// @inheritdoc IAgentShares
    function sellShares(address subject, uint256 amount) external guarded {
        _sell(subject, amount, 0);
    }

    /// @inheritdoc IAgentShares
    function sellShares(address subject, uint256 amount, uint256 minProceeds, uint256 deadline) external guarded {
        if (block.timestamp > deadline) revert DeadlinePassed(deadline);
        _sell(subject, amount, minProceeds);
    }

    /// @inheritdoc IAgentShares
    function transferShares(address subject, address to, uint256 amount) external guarded {
        if (to == address(0) || to == address(this) || to == subject || to == msg.sender) revert InvalidReceiver(to);

        Agent storage agent = agents[subject];
        uint256 fromBalance = _take(agent, subject, amount);
        uint256 toBalance = agent.balances[to] + amount;
        agent.balances[to] = toBalance;
        emit Transfer(msg.sender, to, subject, amount, fromBalance, toBalance);
    }

    function _buyLaunched(address subject, uint256 amount, uint256 maxCost) private {
        Agent storage agent = agents[subject];
        uint256 supply = agent.supply;
        if (supply == 0) revert NotLaunched(subject);
        _buy(agent, subject, supply, amount, maxCost);
    }

    function _buy(Agent storage agent, address subject, uint256 supply, uint256 amount, uint256 maxCost) private {
        if (amount == 0) revert ZeroAmount();
        uint256 units = Curve.units(supply, amount);
        uint256 cost = units * Curve.COST_PER_UNIT;
        if (cost > maxCost) revert CostAboveMaximum(cost, maxCost);
        if (cost > msg.value) revert PaymentTooSmall(cost, msg.value);

        uint256 balance = agent.balances[msg.sender] + amount;
        agent.balances[msg.sender] = balance;
        _record(agent, subject, true, amount, units, supply + amount, balance);

        if (msg.value > cost) _pay(msg.sender, msg.value - cost);
    }

    function _sell(address subject, uint256 amount, uint256 minProceeds) private {
        Agent storage agent = agents[subject];
        uint256 balance = _take(agent, subject, amount);
        uint256 supply = agent.supply - amount;
        uint256 units = Curve.units(supply, amount);
        uint256 proceeds = units * Curve.PROCEEDS_PER_UNIT;
        if (proceeds < minProceeds) revert ProceedsBelowMinimum(proceeds, minProceeds);

        _record(agent, subject, false, amount, units, supply, balance);

        _pay(msg.sender, proceeds);
    }

    /// @dev Takes shares from the caller. The owner's slot is read only when nothing would be left.
    function _take(Agent storage agent, address subject, uint256 amount) private returns (uint256 left) {
        if (amount == 0) revert ZeroAmount();
        uint256 balance = agent.balances[msg.sender];
        if (amount > balance) revert BalanceTooSmall(balance, amount);
        left = balance - amount;
        if (left == 0 && msg.sender == agent.owner) revert OwnerKeepsLastShare(subject);
        agent.balances[msg.sender] = left;
    }

    /// @dev Stores the new supply and the fees of a trade in one slot, and tells the world.
    function _record(
        Agent storage agent,
        address subject,
        bool isBuy,
        uint256 amount,
        uint256 units,
        uint256 supply,
        uint256 balance
    ) private {
        agent.supply = uint64(supply);
        agent.feeUnits += uint96(units);
        uint256 fee = units * Curve.FEE_PER_UNIT;
        emit Trade(msg.sender, subject, isBuy, amount, units * Curve.PRICE_PER_UNIT, fee, fee, supply, balance);
    }

    function _pay(address receiver, uint256 amount) private {
        (bool paid,) = receiver.call{value: amount}("");
        if (!paid) revert PaymentFailed(receiver, amount);
    }

    /*//////////////////////////////////////////////////////////////
                                  FEES
    //////////////////////////////////////////////////////////////*/

    /// @inheritdoc IAgentShares
    function claimFees(address subject) external guarded returns (uint256 amount) {
        address owner = agents[subject].owner;
        if (owner == address(0)) revert NotLaunched(subject);
        return _claim(subject, owner);
    }

    /// @inheritdoc IAgentShares
    function claimFees(address subject, address receiver) external guarded returns (uint256 amount) {
        if (msg.sender != agents[subject].owner) revert NotAgentOwner(msg.sender);
        if (receiver == address(0)) revert InvalidReceiver(receiver);
        return _claim(subject, receiver);
    }

    function _claim(address subject, address receiver) private returns (uint256 amount) {
        Agent storage agent = agents[subject];
        uint96 feeUnits = agent.feeUnits;
        amount = (feeUnits - agent.ownerClaimedUnits) * Curve.FEE_PER_UNIT;
        if (amount == 0) revert NothingToClaim(receiver);
        agent.ownerClaimedUnits = feeUnits;
        emit FeesClaimed(subject, receiver, amount);
        _pay(receiver, amount);
    }

    /// @inheritdoc IAgentShares
    function claimProtocolFees(address[] calldata subjects) external guarded returns (uint256 amount) {
        address receiver = protocolFeeDestination;
        for (uint256 i = 0; i < subjects.length; ++i) {
            Agent storage agent = agents[subjects[i]];
            uint96 feeUnits = agent.feeUnits;
            uint256 fees = (feeUnits - agent.protocolClaimedUnits) * Curve.FEE_PER_UNIT;
            if (fees == 0) continue;
            agent.protocolClaimedUnits = feeUnits;
            emit ProtocolFeesClaimed(subjects[i], receiver, fees);
            amount += fees;
        }
        if (amount == 0) revert NothingToClaim(receiver);
        _pay(receiver, amount);
    }

    /// @inheritdoc IAgentShares
    function claimableFees(address subject) external view returns (uint256) {
        Agent storage agent = agents[subject];
        return (agent.feeUnits - agent.ownerClaimedUnits) * Curve.FEE_PER_UNIT;
    }

    /// @inheritdoc IAgentShares
    function claimableProtocolFees(address subject) external view returns (uint256) {
        Agent storage agent = agents[subject];
        return (agent.feeUnits - agent.protocolClaimedUnits) * Curve.FEE_PER_UNIT;
    }

    /*//////////////////////////////////////////////////////////////
                                 QUOTES
    //////////////////////////////////////////////////////////////*/

    /// @inheritdoc IAgentShares
    function getPrice(uint256 supply, uint256 amount) external pure returns (uint256) {
        return Curve.units(supply, amount) * Curve.PRICE_PER_UNIT;
    }

    /// @inheritdoc IAgentShares
    function getBuyPrice(address subject, uint256 amount) external view returns (uint256) {
        return Curve.units(agents[subject].supply, amount) * Curve.PRICE_PER_UNIT;
    }

    /// @inheritdoc IAgentShares
    function getBuyPriceAfterFee(address subject, uint256 amount) external view returns (uint256) {
        return Curve.units(agents[subject].supply, amount) * Curve.COST_PER_UNIT;
    }

    /// @inheritdoc IAgentShares
    function getSellPrice(address subject, uint256 amount) external view returns (uint256) {
        return _sellUnits(subject, amount) * Curve.PRICE_PER_UNIT;
    }

    /// @inheritdoc IAgentShares
    function getSellPriceAfterFee(address subject, uint256 amount) external view returns (uint256) {
        return _sellUnits(subject, amount) * Curve.PROCEEDS_PER_UNIT;
    }

    /// @inheritdoc IAgentShares
    function sharesSupply(address subject) external view returns (uint256) {
        return agents[subject].supply;
    }

    /// @inheritdoc IAgentShares
    function sharesBalance(address subject, address holder) external view returns (uint256) {
        return agents[subject].balances[holder];
    }

    /// @inheritdoc IAgentShares
    function sharesOwner(address subject) external view returns (address) {
        return agents[subject].owner;
    }

    /// @inheritdoc IAgentShares
    function subjectOf(address owner, string calldata name) external pure returns (address) {
        return _subjectOf(owner, keccak256(bytes(name)));
    }

    /// @inheritdoc IAgentShares
    function protocolFeePercent() external pure returns (uint256) {
        return 1 ether * Curve.FEE_PER_UNIT / Curve.PRICE_PER_UNIT;
    }

    /// @inheritdoc IAgentShares
    function subjectFeePercent() external pure returns (uint256) {
        return 1 ether * Curve.FEE_PER_UNIT / Curve.PRICE_PER_UNIT;
    }

    /// @inheritdoc IAgentShares
    function enableTrading() external pure returns (bool) {
        return true;
    }

    function _sellUnits(address subject, uint256 amount) private view returns (uint256) {
        uint256 supply = agents[subject].supply;
        if (amount > supply) revert SupplyTooSmall(supply, amount);
        return Curve.units(supply - amount, amount);
    }

    function _subjectOf(address owner, bytes32 nameHash) private pure returns (address) {
        return address(uint160(uint256(keccak256(abi.encode(owner, nameHash)))));
    }
}
