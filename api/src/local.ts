import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.js'
import { pageOf, pageQuery } from './page.js'
import {
  Address,
  AddressName,
  Bnb,
  Count,
  Id,
  Name,
  ONE_LINE,
  oneOf,
  Plain,
  Time,
  TransactionHash,
  Wei,
  Words,
} from './shapes.js'
import { TransactionFailure, waitSeconds } from './share-transactions.js'

/** A post on the local social network. */
export const LocalPost = Type.Object(
  {
    id: Id('The post.'),
    url: Plain({ description: 'Its page, which an owner passes as tweetUrl.' }),
    handle: Plain(),
    name: Words(),
    text: Words(),
    createdAt: Time('When it was posted.'),
  },
  { title: 'LocalPost' },
)
export type LocalPost = Static<typeof LocalPost>

/** The figures a wallet on the embedded chain needs before it signs. */
export const LocalWallet = Type.Object(
  {
    address: Address('The wallet.'),
    balanceWei: Wei('Its balance.'),
    nonce: Count('Transactions it has sent, which is the nonce of the next one.'),
    gasPriceWei: Wei('What a unit of gas costs.'),
    chainId: Type.Integer(),
  },
  { title: 'LocalWallet' },
)
export type LocalWallet = Static<typeof LocalWallet>

/** How a transaction on the embedded chain ended. */
export const LocalTransaction = Type.Object(
  {
    transactionHash: TransactionHash,
    blockNumber: Count('Block it is in.'),
    status: oneOf(['success', 'reverted'], { description: 'A reverted one changed nothing but still cost gas.' }),
    indexed: Type.Boolean({ description: 'Whether lists, profiles and balances of this service include it.' }),
    failure: Type.Optional(TransactionFailure),
  },
  { title: 'LocalTransaction' },
)
export type LocalTransaction = Static<typeof LocalTransaction>

const oauthText = (description: string) => Type.String({ minLength: 1, maxLength: 2000, description })

/** Endpoints of the stand-ins: a small social network with its login, a faucet, and access to the embedded chain. */
export const local = {
  createLocalPost: endpoint({
    method: 'POST',
    path: '/local/x/posts',
    tag: 'local',
    summary: 'Post on the local social network',
    description: 'The account is created when it first posts.',
    auth: 'none',
    limit: 'write',
    body: Type.Object({
      handle: Type.String({ pattern: '^@?[A-Za-z0-9_]{1,30}$', description: 'Account that posts.' }),
      name: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          pattern: ONE_LINE,
          description: 'Its name; the handle by default.',
        }),
      ),
      text: Type.String({ minLength: 1, maxLength: 4000 }),
    }),
    success: 201,
    output: LocalPost,
    errors: [],
  }),
  listLocalPosts: endpoint({
    method: 'GET',
    path: '/local/x/posts',
    tag: 'local',
    summary: 'List posts of the local social network, newest first',
    auth: 'none',
    limit: 'read',
    query: Type.Object({ ...pageQuery, handle: Type.Optional(Name('Only posts of this account.')) }),
    success: 200,
    output: pageOf(LocalPost),
    errors: [],
  }),
  getLocalPost: endpoint({
    method: 'GET',
    path: '/local/x/posts/:id',
    tag: 'local',
    summary: 'Read one post of the local social network',
    auth: 'none',
    limit: 'read',
    params: Type.Object({ id: Id('The post.') }),
    success: 200,
    output: LocalPost,
    errors: ['NOT_FOUND'],
  }),
  requestFaucet: endpoint({
    method: 'POST',
    path: '/local/faucet',
    tag: 'local',
    summary: 'Get 10 test BNB',
    auth: 'none',
    limit: 'write',
    body: Type.Object({ address: Address('Who receives it.') }),
    success: 200,
    output: Type.Object({ transactionHash: Plain(), amountBNB: Bnb('What was sent.') }),
    errors: ['CHAIN_UNAVAILABLE'],
  }),
  getLocalWallet: endpoint({
    method: 'GET',
    path: '/local/wallets/:address',
    tag: 'local',
    summary: 'Read what a wallet of the embedded chain needs before it signs',
    auth: 'none',
    limit: 'read',
    params: Type.Object({ address: AddressName('The wallet.') }),
    success: 200,
    output: LocalWallet,
    errors: ['NOT_FOUND', 'CHAIN_UNAVAILABLE'],
  }),
  sendLocalTransaction: endpoint({
    method: 'POST',
    path: '/local/transactions',
    tag: 'local',
    summary: 'Send a signed transaction to the embedded chain',
    description: 'The chain mines it immediately, so the answer says how it ended.',
    auth: 'none',
    limit: 'write',
    body: Type.Object({
      transaction: Type.Unsafe<`0x${string}`>({
        type: 'string',
        pattern: '^0x([0-9a-fA-F]{2})+$',
        maxLength: 20_000,
        description: 'Signed and serialized.',
      }),
      wait: Type.Optional(waitSeconds),
    }),
    success: 200,
    output: LocalTransaction,
    errors: ['INSUFFICIENT_FUNDS', 'CHAIN_UNAVAILABLE'],
  }),
  openLocalLogin: endpoint({
    method: 'GET',
    path: '/local/x/oauth2/authorize',
    tag: 'local',
    summary: 'Log in at the local social network',
    description:
      'The authorize step of OAuth 2.0 with PKCE, in the words of RFC 6749 and 7636. Without a handle the page asks ' +
      'for one; with one it leads back to redirect_uri with code and state.',
    auth: 'none',
    limit: 'read',
    query: Type.Object({
      response_type: oneOf(['code']),
      client_id: oauthText('The client that asks.'),
      redirect_uri: oauthText('Where the person returns to.'),
      state: oauthText('Returned unchanged.'),
      code_challenge: oauthText('Derived from the code verifier.'),
      code_challenge_method: oneOf(['S256']),
      scope: Type.Optional(Type.String({ maxLength: 500 })),
      handle: Type.Optional(
        Type.String({ pattern: '^@?[A-Za-z0-9_]{1,30}$', description: 'Account that logs in; created if it is new.' }),
      ),
    }),
    success: 200,
    media: 'text/html',
    output: Words(),
    errors: [],
  }),
  createLocalToken: endpoint({
    method: 'POST',
    path: '/local/x/oauth2/token',
    tag: 'local',
    summary: 'Exchange a login code of the local social network',
    description: 'The token step of OAuth 2.0: takes a form (application/x-www-form-urlencoded) as well as JSON.',
    auth: 'none',
    limit: 'read',
    form: true,
    body: Type.Object(
      {
        grant_type: oneOf(['authorization_code']),
        client_id: Type.Optional(oauthText('The client that asks; or sent by HTTP Basic.')),
        code: oauthText('From the authorize step; valid once.'),
        redirect_uri: oauthText('The same as before.'),
        code_verifier: oauthText('What code_challenge was derived from.'),
      },
      // OAuth 2.0 has a server ignore what it does not know (RFC 6749, 3.2).
      { additionalProperties: true },
    ),
    success: 200,
    output: Type.Object(
      {
        token_type: oneOf(['bearer']),
        access_token: Plain(),
        expires_in: Count('Seconds.'),
        scope: Plain(),
      },
      { title: 'LocalToken' },
    ),
    errors: ['LOGIN_EXPIRED'],
  }),
  getLocalAccount: endpoint({
    method: 'GET',
    path: '/local/x/users/me',
    tag: 'local',
    summary: 'Read the account a local token belongs to',
    description: 'Takes Authorization: Bearer with the token from the token step, and answers in the form X uses.',
    auth: 'none',
    limit: 'read',
    success: 200,
    output: Type.Object(
      { data: Type.Object({ id: Plain(), username: Plain(), name: Words() }) },
      { title: 'LocalAccount' },
    ),
    errors: ['INVALID_TOKEN'],
  }),
} as const
