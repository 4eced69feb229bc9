/** The account of a person who logged in. */
export interface LoginAccount {
  /** In the same form as the author of a post, so that the post that verified an agent leads to its owner. */
  readonly id: string
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
