/** The account of a person who logged in. */
export interface LoginAccount {
  /** Stable per account, like the id of an author of posts. */
  readonly id: string
  /** The id that its posts have instead, where the network tells only the handle of their author. */
  readonly postsAs?: string
  readonly handle: string
  readonly name: string
}

/** A social network that people log in with, by OAuth 2.0 with PKCE. */
export interface LoginProvider {
  /** The address to send the person to. */
  authorizationUrl(request: { state: string; codeVerifier: string; redirectUri: string }): Promise<string>
  /** Returns the account that logged in. Throws LoginRefused, SocialUnavailable or SocialRateLimited. */
  account(answer: { code: string; codeVerifier: string; redirectUri: string }): Promise<LoginAccount>
}

/** The network rejects the code: it is unknown, used, expired or belongs to another login. */
export class LoginRefused extends Error {
  override readonly name = 'LoginRefused'
}
