// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAgentShares} from "./IAgentShares.sol";

/// @title The protocol's side of AgentShares: who receives its fees, who permits launches, and the permits
/// @dev Has no access to shares or money. Everything is documented in IAgentShares.
abstract contract Protocol is IAgentShares {
    /// @inheritdoc IAgentShares
    uint256 public constant OPERATOR_DELAY = 2 days;

    string private constant DOMAIN_NAME = "AgentShares";
    string private constant DOMAIN_VERSION = "1";
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant LAUNCH_TYPEHASH =
        keccak256("Launch(address subject,address owner,string name,uint256 deadline)");

    /// @dev r, s, v and the deadline.
    uint256 private constant PERMIT_LENGTH = 32 + 32 + 1 + 32;

    /// @dev Half the order of secp256k1. For each signature with s below it there is a twin above it.
    uint256 private constant MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

    /// @inheritdoc IAgentShares
    address public protocolFeeDestination;
    /// @inheritdoc IAgentShares
    address public proposedProtocolFeeDestination;
    /// @inheritdoc IAgentShares
    address public operator;
    /// @inheritdoc IAgentShares
    address public proposedOperator;
    /// @inheritdoc IAgentShares
    uint256 public operatorChangeableAt;

    modifier onlyProtocol() {
        if (msg.sender != protocolFeeDestination) revert NotProtocol(msg.sender);
        _;
    }

    constructor(address operator_, address protocolFeeDestination_) {
        if (operator_ == address(0) || protocolFeeDestination_ == address(0)) revert ZeroAddress();
        _changeOperator(operator_);
        _changeProtocolFeeDestination(protocolFeeDestination_);
    }

    /*//////////////////////////////////////////////////////////////
                                OPERATOR
    //////////////////////////////////////////////////////////////*/

    /// @inheritdoc IAgentShares
    function proposeOperator(address newOperator) external onlyProtocol {
        uint256 changeableAt = newOperator == address(0) ? 0 : block.timestamp + OPERATOR_DELAY;
        proposedOperator = newOperator;
        operatorChangeableAt = changeableAt;
        emit OperatorProposed(newOperator, changeableAt);
    }

    /// @inheritdoc IAgentShares
    function acceptOperator() external onlyProtocol {
        address newOperator = proposedOperator;
        if (newOperator == address(0)) revert NoOperatorProposed();
        if (block.timestamp < operatorChangeableAt) revert OperatorNotChangeableUntil(operatorChangeableAt);
        delete proposedOperator;
        delete operatorChangeableAt;
        _changeOperator(newOperator);
    }

    /// @inheritdoc IAgentShares
    function revokeOperator() external {
        if (msg.sender != operator && msg.sender != protocolFeeDestination) revert NotOperator(msg.sender);
        _changeOperator(address(0));
    }

    function _changeOperator(address newOperator) private {
        emit OperatorChanged(operator, newOperator);
        operator = newOperator;
    }

    /*//////////////////////////////////////////////////////////////
                            FEE DESTINATION
    //////////////////////////////////////////////////////////////*/

    /// @inheritdoc IAgentShares
    function proposeProtocolFeeDestination(address newDestination) external onlyProtocol {
        proposedProtocolFeeDestination = newDestination;
        emit ProtocolFeeDestinationProposed(newDestination);
    }

    /// @inheritdoc IAgentShares
    function acceptProtocolFeeDestination() external {
        if (msg.sender != proposedProtocolFeeDestination) revert NotProposed(msg.sender);
        delete proposedProtocolFeeDestination;
        _changeProtocolFeeDestination(msg.sender);
    }

    function _changeProtocolFeeDestination(address newDestination) private {
        emit ProtocolFeeDestinationChanged(protocolFeeDestination, newDestination);
        protocolFeeDestination = newDestination;
    }

    /*//////////////////////////////////////////////////////////////
                                PERMITS
    //////////////////////////////////////////////////////////////*/

    /// @inheritdoc IAgentShares
    function eip712Domain()
        external
        view
        returns (
            bytes1 fields,
            string memory name,
            string memory version,
            uint256 chainId,
            address verifyingContract,
            bytes32 salt,
            uint256[] memory extensions
        )
    {
        // 0x0f: name, version, chainId and verifyingContract are used; salt and extensions are not.
        return (0x0f, DOMAIN_NAME, DOMAIN_VERSION, block.chainid, address(this), bytes32(0), new uint256[](0));
    }

    /// @dev Reverts unless `permit` is the operator's for this launch by the caller. A permit needs no nonce: an agent
    /// is launched once. It cannot be used on another chain or contract, whose domain differs.
    function _checkPermit(address subject, bytes32 nameHash, bytes calldata permit) internal view {
        if (permit.length != PERMIT_LENGTH) revert WrongPermitLength(permit.length);
        bytes32 s = bytes32(permit[32:64]);
        uint256 deadline = uint256(bytes32(permit[65:97]));
        if (block.timestamp > deadline) revert PermitExpired(deadline);
        if (uint256(s) > MAX_S) revert MalleableSignature(s);

        bytes32 launchHash = keccak256(abi.encode(LAUNCH_TYPEHASH, subject, msg.sender, nameHash, deadline));
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", _domainSeparator(), launchHash));
        address signer = ecrecover(digest, uint8(permit[64]), bytes32(permit[0:32]), s);
        if (signer == address(0) || signer != operator) revert WrongSigner(signer);
    }

    /// @dev Not cached: launches are rare, and a copy would be wrong after a fork of the chain.
    function _domainSeparator() private view returns (bytes32) {
        return keccak256(
            abi.encode(
                DOMAIN_TYPEHASH,
                keccak256(bytes(DOMAIN_NAME)),
                keccak256(bytes(DOMAIN_VERSION)),
                block.chainid,
                address(this)
            )
        );
    }
}
