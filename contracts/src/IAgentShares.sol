// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Shares of AI agents on a bonding curve
/// @notice Every agent has shares, counted from 0: share i is worth i² / 16000 of the native currency. A buyer takes the
/// next shares and a seller gives the last ones back, so the contract always holds what the shares in circulation are
/// worth. Each trade pays 5 % of its price to the protocol and 5 % to the owner of the agent.
///
/// An agent is known by its subject, an address that nobody holds a key for:
/// `address(uint160(uint256(keccak256(abi.encode(owner, keccak256(bytes(name)))))))`. So a wallet may own many agents,
/// and nobody can take the subject of somebody else's agent.
///
/// Nobody has power over trades or balances: there is no proxy, no pause, no fee setter, no minting and no withdrawal.
/// The protocol names the operator, whose signature a new agent needs, and collects its fees. That is all it can do.
///
/// Shares are whole numbers. Money is in wei and exact: 1 ether / 16000 is 62,500,000,000,000 wei, and a twentieth of
/// that is 3,125,000,000,000 wei, so nothing is ever rounded.
interface IAgentShares {
    /*//////////////////////////////////////////////////////////////
                                 EVENTS
    //////////////////////////////////////////////////////////////*/

    /// @notice An agent got its owner and its first shares. A `Trade` by the owner follows in the same transaction.
    /// @param subject The address that stands for the agent
    /// @param owner The wallet that launched it: it earns the agent's fees and keeps at least one share
    /// @param name The username from which the subject is derived
    event Launched(address indexed subject, address indexed owner, string name);

    /// @notice Shares were bought from or sold to the curve.
    /// @param trader Who bought or sold
    /// @param subject The agent
    /// @param isBuy True for a buy, false for a sale
    /// @param shareAmount How many shares
    /// @param ethAmount Their price on the curve, before fees
    /// @param protocolEthAmount The protocol's fee
    /// @param subjectEthAmount The fee of the agent's owner
    /// @param supply Shares in circulation after the trade
    /// @param traderShareBalance Shares of the trader after the trade
    event Trade(
        address trader,
        address subject,
        bool isBuy,
        uint256 shareAmount,
        uint256 ethAmount,
        uint256 protocolEthAmount,
        uint256 subjectEthAmount,
        uint256 supply,
        uint256 traderShareBalance
    );

    /// @notice Shares moved between wallets; the supply and the price stay.
    /// @param from Who gave
    /// @param to Who received
    /// @param subject The agent
    /// @param amount How many shares
    /// @param fromBalance Shares of the giver afterwards
    /// @param toBalance Shares of the receiver afterwards
    event Transfer(
        address indexed from,
        address indexed to,
        address indexed subject,
        uint256 amount,
        uint256 fromBalance,
        uint256 toBalance
    );

    /// @notice Fees of an agent were paid out on behalf of its owner.
    event FeesClaimed(address indexed subject, address indexed receiver, uint256 amount);

    /// @notice The protocol's fees from trades of one agent were paid out.
    event ProtocolFeesClaimed(address indexed subject, address indexed receiver, uint256 amount);

    /// @notice A new operator was announced. It can take over from `changeableAt` on. Zero withdraws the announcement.
    event OperatorProposed(address indexed operator, uint256 changeableAt);

    /// @notice The operator changed. Zero means that nobody can launch until a new one takes over.
    event OperatorChanged(address indexed oldOperator, address indexed newOperator);

    /// @notice The protocol offered its place to another account. Zero withdraws the offer.
    event ProtocolFeeDestinationProposed(address indexed destination);

    /// @notice The place of the protocol passed to another account.
    event ProtocolFeeDestinationChanged(address indexed oldDestination, address indexed newDestination);

    /*//////////////////////////////////////////////////////////////
                                 ERRORS
    //////////////////////////////////////////////////////////////*/

    /// @notice A trade or a transfer is of at least one share.
    error ZeroAmount();

    /// @notice The agent has no shares yet: its owner has to launch it first.
    error NotLaunched(address subject);

    /// @notice An agent is launched once.
    error AlreadyLaunched(address subject);

    /// @notice The subject given is not the one derived from the caller and the name.
    error WrongSubject(address derived, address given);

    /// @notice A permit has exactly 97 bytes.
    error WrongPermitLength(uint256 length);

    /// @notice The launch permit is too old.
    error PermitExpired(uint256 deadline);

    /// @notice The signature is the high twin of another one; only the low one is accepted.
    error MalleableSignature(bytes32 s);

    /// @notice The permit was signed by somebody else than the operator; zero if the signature is none at all.
    error WrongSigner(address signer);

    /// @notice The transaction came too late.
    error DeadlinePassed(uint256 deadline);

    /// @notice The value sent does not cover price and fees.
    error PaymentTooSmall(uint256 cost, uint256 paid);

    /// @notice Price and fees are above what the buyer accepts.
    error CostAboveMaximum(uint256 cost, uint256 maxCost);

    /// @notice The price less fees is below what the seller accepts.
    error ProceedsBelowMinimum(uint256 proceeds, uint256 minProceeds);

    /// @notice The caller has fewer shares than it wants to sell or transfer.
    error BalanceTooSmall(uint256 balance, uint256 amount);

    /// @notice Fewer shares are in circulation than a quote asks for.
    error SupplyTooSmall(uint256 supply, uint256 amount);

    /// @notice The supply would pass `MAX_SUPPLY`.
    error SupplyTooLarge(uint256 supply, uint256 amount);

    /// @notice The owner of an agent keeps at least one of its shares.
    error OwnerKeepsLastShare(address subject);

    /// @notice Shares or fees cannot go there: the zero address, this contract, the agent's subject, or the giver
    /// itself.
    error InvalidReceiver(address receiver);

    /// @notice The receiver refused its payment.
    error PaymentFailed(address receiver, uint256 amount);

    /// @notice No fees are waiting for the receiver.
    error NothingToClaim(address receiver);

    /// @notice Only the agent's owner chooses another receiver of its fees.
    error NotAgentOwner(address caller);

    /// @notice Only the protocol may do this.
    error NotProtocol(address caller);

    /// @notice Only the account to which the protocol offered its place can take it.
    error NotProposed(address caller);

    /// @notice Only the operator or the protocol may revoke the operator.
    error NotOperator(address caller);

    /// @notice No operator was proposed.
    error NoOperatorProposed();

    /// @notice The announced operator cannot take over yet.
    error OperatorNotChangeableUntil(uint256 changeableAt);

    /// @notice The contract needs an operator and an account of the protocol.
    error ZeroAddress();

    /// @notice A payment's receiver called back into the contract.
    error Reentered();

    /*//////////////////////////////////////////////////////////////
                                 LAUNCH
    //////////////////////////////////////////////////////////////*/

    /// @notice Launches the caller's agent with its first share, which costs nothing.
    /// @param subject The agent, as derived from the caller and `name`
    /// @param name The agent's username
    /// @param permit The operator's permit, exactly 97 bytes: `abi.encodePacked(r, s, v, deadline)`, where (r, s, v) is
    /// the EIP-712 signature of `Launch(address subject,address owner,string name,uint256 deadline)` in the domain of
    /// `eip712Domain()`, owner is the caller, and deadline is the last second in which it is valid
    function launch(address subject, string calldata name, bytes calldata permit) external;

    /// @notice Launches the caller's agent and buys `amount` shares at once, so that nobody can buy in between.
    /// @dev Costs `getPrice(0, amount)` and the fees; what is sent above that is returned.
    /// @param amount How many shares, including the free first one
    function launch(address subject, string calldata name, bytes calldata permit, uint256 amount) external payable;

    /*//////////////////////////////////////////////////////////////
                                 TRADES
    //////////////////////////////////////////////////////////////*/

    /// @notice Buys shares for at most the value sent; what the trade does not cost is returned.
    function buyShares(address subject, uint256 amount) external payable;

    /// @notice Buys shares for at most `maxCost`, fees included, not later than `deadline`.
    /// @param maxCost The most that price and fees together may come to
    /// @param deadline The last block timestamp at which the trade may happen
    function buyShares(address subject, uint256 amount, uint256 maxCost, uint256 deadline) external payable;

    /// @notice Sells shares for whatever the curve pays.
    function sellShares(address subject, uint256 amount) external;

    /// @notice Sells shares for at least `minProceeds`, after fees, not later than `deadline`.
    /// @param minProceeds The least that the caller has to receive
    /// @param deadline The last block timestamp at which the trade may happen
    function sellShares(address subject, uint256 amount, uint256 minProceeds, uint256 deadline) external;

    /// @notice Gives shares to another wallet. Costs no fee.
    /// @param to Not the zero address, this contract, the subject or the caller
    function transferShares(address subject, address to, uint256 amount) external;

    /*//////////////////////////////////////////////////////////////
                                  FEES
    //////////////////////////////////////////////////////////////*/

    /// @notice Pays the waiting fees of an agent to its owner. Anybody may call it.
    /// @return amount What was paid
    function claimFees(address subject) external returns (uint256 amount);

    /// @notice Pays the waiting fees of an agent to a receiver that its owner, the caller, chooses.
    /// @return amount What was paid
    function claimFees(address subject, address receiver) external returns (uint256 amount);

    /// @notice Pays the protocol's waiting fees from trades of these agents to the protocol. Anybody may call it.
    /// @return amount What was paid
    function claimProtocolFees(address[] calldata subjects) external returns (uint256 amount);

    /// @notice Fees that wait for an agent's owner.
    function claimableFees(address subject) external view returns (uint256);

    /// @notice Fees from trades of one agent that wait for the protocol.
    function claimableProtocolFees(address subject) external view returns (uint256);

    /*//////////////////////////////////////////////////////////////
                                PROTOCOL
    //////////////////////////////////////////////////////////////*/

    /// @notice Announces a new operator, which can take over after `OPERATOR_DELAY`. Replaces an earlier announcement;
    /// zero withdraws it. Only by the protocol.
    function proposeOperator(address newOperator) external;

    /// @notice Lets the announced operator take over. Permits of the old one become void. Only by the protocol.
    function acceptOperator() external;

    /// @notice Takes the operator's power at once, so that a stolen key stops being one. Only by the operator or the
    /// protocol.
    function revokeOperator() external;

    /// @notice Offers the protocol's place, with its fees and duties, to another account; zero withdraws the offer.
    /// Only by the protocol.
    function proposeProtocolFeeDestination(address newDestination) external;

    /// @notice Takes the place of the protocol. Only by the account to which it was offered.
    function acceptProtocolFeeDestination() external;

    /// @notice The account of the protocol: it receives the protocol's fees and names the operator.
    function protocolFeeDestination() external view returns (address);

    /// @notice The account to which the protocol offered its place, or zero.
    function proposedProtocolFeeDestination() external view returns (address);

    /// @notice The key that signs launch permits.
    function operator() external view returns (address);

    /// @notice The announced next operator, or zero.
    function proposedOperator() external view returns (address);

    /// @notice When the announced operator can take over, or zero.
    function operatorChangeableAt() external view returns (uint256);

    /// @notice How long a new operator is announced before it can take over.
    function OPERATOR_DELAY() external view returns (uint256);

    /*//////////////////////////////////////////////////////////////
                                 QUOTES
    //////////////////////////////////////////////////////////////*/

    /// @notice The price of shares `supply` to `supply + amount - 1`, before fees: the sum of i² / 16000.
    function getPrice(uint256 supply, uint256 amount) external pure returns (uint256);

    /// @notice The price of the next `amount` shares, before fees.
    function getBuyPrice(address subject, uint256 amount) external view returns (uint256);

    /// @notice What a buyer pays for the next `amount` shares.
    function getBuyPriceAfterFee(address subject, uint256 amount) external view returns (uint256);

    /// @notice The price of the last `amount` shares, before fees.
    function getSellPrice(address subject, uint256 amount) external view returns (uint256);

    /// @notice What a seller receives for the last `amount` shares.
    function getSellPriceAfterFee(address subject, uint256 amount) external view returns (uint256);

    /// @notice Shares of an agent in circulation.
    function sharesSupply(address subject) external view returns (uint256);

    /// @notice Shares of an agent in one wallet.
    function sharesBalance(address subject, address holder) external view returns (uint256);

    /// @notice The owner of an agent; zero before its launch.
    function sharesOwner(address subject) external view returns (address);

    /// @notice The subject of the agent `name` of `owner`, launched or not.
    function subjectOf(address owner, string calldata name) external pure returns (address);

    /// @notice The most shares one agent can have. They would cost 10^17 BNB, far more than there is: it is there to
    /// make overflows impossible.
    function MAX_SUPPLY() external view returns (uint256);

    /// @notice The protocol's part of a price, in 10^-18: always 5 %.
    function protocolFeePercent() external pure returns (uint256);

    /// @notice The agent owner's part of a price, in 10^-18: always 5 %.
    function subjectFeePercent() external pure returns (uint256);

    /// @notice Always true: trading cannot be switched off.
    function enableTrading() external pure returns (bool);

    /// @notice The EIP-712 domain of launch permits, as ERC-5267 tells it.
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
        );
}
