// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev The cheatcodes that the tests use.
interface Vm {
    function getCode(string calldata artifact) external view returns (bytes memory);
    function deal(address account, uint256 balance) external;
    function prank(address sender) external;
    function addr(uint256 key) external pure returns (address);
    function sign(uint256 key, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function expectRevert(bytes calldata data) external;
}

Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

/// @dev Brings a random number into a range, ends included.
function bound(uint256 value, uint256 min, uint256 max) pure returns (uint256) {
    return min + value % (max - min + 1);
}
