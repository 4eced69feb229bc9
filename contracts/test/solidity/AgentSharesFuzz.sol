// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAgentShares} from "../../src/IAgentShares.sol";
import {Market} from "./Market.sol";
import {bound, vm} from "./Vm.sol";

/// @dev One trader, one agent, random numbers.
contract AgentSharesFuzz is Market {
    address private constant OWNER = address(0x0117);
    address private constant TRADER = address(0x7a);

    function testFuzz_a_price_is_the_sum_of_squares(uint256 supply, uint256 amount) external view {
        supply = bound(supply, 0, shares.MAX_SUPPLY() - 200);
        amount = bound(amount, 0, 200);
        uint256 sum = 0;
        for (uint256 i = supply; i < supply + amount; ++i) {
            sum += i * i;
        }
        assert(shares.getPrice(supply, amount) == sum * 1 ether / 16_000);
        assert(sum * 1 ether % 16_000 == 0);
    }

    function testFuzz_a_price_does_not_depend_on_how_a_trade_is_split(uint256 supply, uint256 a, uint256 b)
        external
        view
    {
        uint256 max = shares.MAX_SUPPLY();
        supply = bound(supply, 0, max);
        a = bound(a, 0, max - supply);
        b = bound(b, 0, max - supply - a);
        assert(shares.getPrice(supply, a + b) == shares.getPrice(supply, a) + shares.getPrice(supply + a, b));
    }

    function testFuzz_no_price_exists_above_the_largest_supply(uint256 supply, uint256 amount) external {
        uint256 max = shares.MAX_SUPPLY();
        if (supply <= max && amount <= max - supply) amount = type(uint256).max - amount;
        vm.expectRevert(abi.encodeWithSelector(IAgentShares.SupplyTooLarge.selector, supply, amount));
        shares.getPrice(supply, amount);
    }

    function testFuzz_a_round_trip_loses_both_fees_twice(uint256 first, uint256 amount, uint256 tip) external {
        address subject = launch(OWNER, "agent", bound(first, 1, 10_000));
        amount = bound(amount, 1, 10_000);
        tip = bound(tip, 0, 1 ether);
        uint256 price = shares.getBuyPrice(subject, amount);
        uint256 start = price * 2 + tip;
        vm.deal(TRADER, start);

        vm.prank(TRADER);
        shares.buyShares{value: price * 11 / 10 + tip}(subject, amount);
        assert(TRADER.balance == start - price * 11 / 10);
        vm.prank(TRADER);
        shares.sellShares(subject, amount);
        assert(TRADER.balance == start - price / 5);
    }

    function testFuzz_only_the_operators_own_permit_launches(bytes32 r, bytes32 s, uint8 v, uint256 deadline) external {
        address subject = shares.subjectOf(OWNER, "agent");
        bytes memory permit = abi.encodePacked(r, s, v, deadline);
        vm.prank(OWNER);
        try shares.launch(subject, "agent", permit) {
            assert(false);
        } catch {}
    }

    function testFuzz_a_permit_with_one_bit_changed_is_void(uint256 bit) external {
        address subject = shares.subjectOf(OWNER, "agent");
        bytes memory permit = permitFor(subject, OWNER, "agent", type(uint64).max);
        bit = bound(bit, 0, permit.length * 8 - 1);
        permit[bit / 8] ^= bytes1(uint8(1 << (bit % 8)));
        vm.prank(OWNER);
        try shares.launch(subject, "agent", permit) {
            assert(false);
        } catch {}
    }
}
