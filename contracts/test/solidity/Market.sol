// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAgentShares} from "../../src/IAgentShares.sol";
import {vm} from "./Vm.sol";

/// @dev An AgentShares contract with an operator that permits everything.
abstract contract Market {
    uint256 internal constant OPERATOR_KEY = 0xA11CE;
    address internal constant PROTOCOL = address(0x9807);

    IAgentShares internal immutable shares;

    /// @dev Deploys the very bytes that real chains get.
    constructor() {
        bytes memory code = abi.encodePacked(vm.getCode("AgentShares"), abi.encode(vm.addr(OPERATOR_KEY), PROTOCOL));
        address created;
        assembly ("memory-safe") {
            created := create(0, add(code, 32), mload(code))
        }
        assert(created != address(0));
        shares = IAgentShares(created);
    }

    function launch(address owner, string memory name, uint256 amount) internal returns (address subject) {
        subject = shares.subjectOf(owner, name);
        bytes memory permit = permitFor(subject, owner, name, block.timestamp);
        uint256 cost = shares.getBuyPriceAfterFee(subject, amount);
        vm.deal(owner, owner.balance + cost);
        vm.prank(owner);
        shares.launch{value: cost}(subject, name, permit, amount);
    }

    function permitFor(address subject, address owner, string memory name, uint256 deadline)
        internal
        view
        returns (bytes memory)
    {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("AgentShares"),
                keccak256("1"),
                block.chainid,
                address(shares)
            )
        );
        bytes32 typeHash = keccak256("Launch(address subject,address owner,string name,uint256 deadline)");
        bytes32 launchHash = keccak256(abi.encode(typeHash, subject, owner, keccak256(bytes(name)), deadline));
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", domain, launchHash));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(OPERATOR_KEY, digest);
        return abi.encodePacked(r, s, v, deadline);
    }
}
