// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAgentShares} from "../../src/IAgentShares.sol";
import {Market} from "./Market.sol";
import {bound, vm} from "./Vm.sol";

/// @dev Everything that wallets can do, with any numbers. Two of the five wallets own the two agents.
contract Crowd is Market {
    address[] public wallets;
    address[] public subjects;

    constructor() {
        for (uint160 i = 0; i < 5; ++i) {
            wallets.push(address(0xbeef0000 + i));
            vm.deal(wallets[i], 1_000_000_000 ether);
        }
        subjects.push(launch(wallets[0], "first", 1));
        subjects.push(launch(wallets[1], "second", 25));
    }

    function market() external view returns (IAgentShares) {
        return shares;
    }

    function buy(uint256 who, uint256 what, uint256 amount, uint256 tip) external {
        (address wallet, address subject) = pick(who, what);
        amount = bound(amount, 1, 50);
        uint256 cost = shares.getBuyPriceAfterFee(subject, amount);
        uint256 before = wallet.balance;
        vm.prank(wallet);
        shares.buyShares{value: cost + bound(tip, 0, 1 ether)}(subject, amount, cost, block.timestamp);
        assert(wallet.balance == before - cost);
    }

    function sell(uint256 who, uint256 what, uint256 amount) external {
        (address wallet, address subject) = pick(who, what);
        uint256 sellable = free(wallet, subject);
        if (sellable == 0) return;
        amount = bound(amount, 1, sellable);
        uint256 proceeds = shares.getSellPriceAfterFee(subject, amount);
        uint256 before = wallet.balance;
        vm.prank(wallet);
        shares.sellShares(subject, amount, proceeds, block.timestamp);
        assert(wallet.balance == before + proceeds);
    }

    function transfer(uint256 who, uint256 what, uint256 amount, uint256 step) external {
        (address wallet, address subject) = pick(who, what);
        uint256 sendable = free(wallet, subject);
        if (sendable == 0) return;
        address to = wallets[(bound(who, 0, wallets.length - 1) + bound(step, 1, wallets.length - 1)) % wallets.length];
        vm.prank(wallet);
        shares.transferShares(subject, to, bound(amount, 1, sendable));
    }

    function claim(uint256 what) external {
        address subject = subjects[what % subjects.length];
        if (shares.claimableFees(subject) > 0) shares.claimFees(subject);
    }

    function claimForProtocol(bool twice) external {
        if (shares.claimableProtocolFees(subjects[0]) == 0) return;
        address[] memory some = new address[](twice ? 2 : 1);
        for (uint256 i = 0; i < some.length; ++i) {
            some[i] = subjects[0];
        }
        shares.claimProtocolFees(some);
    }

    /// @dev What a wallet can give away: all it has, less one if it is the owner.
    function free(address wallet, address subject) public view returns (uint256) {
        uint256 balance = shares.sharesBalance(subject, wallet);
        return shares.sharesOwner(subject) == wallet ? balance - 1 : balance;
    }

    function pick(uint256 who, uint256 what) private view returns (address, address) {
        return (wallets[bound(who, 0, wallets.length - 1)], subjects[what % subjects.length]);
    }
}

/// @dev What holds after every sequence of what wallets can do.
contract AgentSharesInvariants {
    Crowd private crowd;
    IAgentShares private shares;

    function setUp() external {
        crowd = new Crowd();
        shares = crowd.market();
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(crowd);
    }

    /// @dev To the wei: what the curves owe to sellers, with the fees of those sales, and the fees not claimed yet.
    function invariant_the_contract_holds_exactly_what_it_owes() external view {
        uint256 owed = 0;
        for (uint256 i = 0; i < 2; ++i) {
            address subject = crowd.subjects(i);
            owed += shares.getPrice(0, shares.sharesSupply(subject));
            owed += shares.claimableFees(subject) + shares.claimableProtocolFees(subject);
        }
        assert(address(shares).balance == owed);
    }

    function invariant_balances_add_up_to_the_supply() external view {
        for (uint256 i = 0; i < 2; ++i) {
            address subject = crowd.subjects(i);
            uint256 sum = 0;
            for (uint256 j = 0; j < 5; ++j) {
                sum += shares.sharesBalance(subject, crowd.wallets(j));
            }
            assert(sum == shares.sharesSupply(subject));
        }
    }

    function invariant_owners_keep_a_share() external view {
        for (uint256 i = 0; i < 2; ++i) {
            address subject = crowd.subjects(i);
            assert(shares.sharesBalance(subject, shares.sharesOwner(subject)) >= 1);
        }
    }

    function invariant_all_sellers_can_leave_one_after_another() external {
        for (uint256 i = 0; i < 2; ++i) {
            address subject = crowd.subjects(i);
            for (uint256 j = 0; j < 5; ++j) {
                address wallet = crowd.wallets(j);
                uint256 amount = crowd.free(wallet, subject);
                if (amount == 0) continue;
                vm.prank(wallet);
                shares.sellShares(subject, amount);
            }
            assert(shares.sharesSupply(subject) == 1);
            if (shares.claimableFees(subject) > 0) shares.claimFees(subject);
        }
        address[] memory subjects = new address[](2);
        (subjects[0], subjects[1]) = (crowd.subjects(0), crowd.subjects(1));
        if (shares.claimableProtocolFees(subjects[0]) + shares.claimableProtocolFees(subjects[1]) > 0) {
            shares.claimProtocolFees(subjects);
        }
        assert(address(shares).balance == 0);
    }
}
