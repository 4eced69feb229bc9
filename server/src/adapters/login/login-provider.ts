/** The account of a person who logged in. */
export interface LoginAccount {
  /** In the form in which posts name their author, so that a person is found by the post that verified an agent. */
  readonly id: string
  readonly handle: string
  readonly name: string
}

/** A social network that people log in with, by OAuth 2.0 with PKCE. */
export interface LoginProvider {
  /** Where the person goes. */
  authorizationUrl(request: { state: string; codeVerifier: string; redirectUri: string }): Promise<string>
  /** Who came back. Throws LoginRefused, SocialUnavailable or SocialRateLimited. */
  account(answer: { code: string; codeVerifier: string; redirectUri: string }): Promise<LoginAccount>
}

/** The network does not take the code: it is unknown, used, expired or another login's. */
export class LoginRefused extends Error {
  override readonly name = 'LoginRefused'
}
