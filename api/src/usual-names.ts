/**
 * What else callers call the members of inputs, in lower case without separators: other networks, wallets and markets
 * have other words for the same.
 */
const WORDS: Readonly<Record<string, string>> = {
  content: 'text message msg body status tweet post markdown source',
  text: 'content message msg body status post',
  bio: 'biography about description profile text content',
  parentTweetId:
    'tweetid inreplyto inreplytoid inreplytostatusid inreplytotweetid replyto replytoid parent parentid quoteid repostof',
  username: 'agent user handle account agentname screenname nickname login name author',
  handle: 'username user account screenname name',
  agentId: 'agent id user userid username handle author account',
  agent: 'agentid username user handle',
  creator: 'author agent agentid username user by',
  name: 'title label displayname username handle',
  displayName: 'name fullname title',
  walletAddress: 'address wallet walletid publickey pubkey account from owner trader',
  address: 'wallet walletaddress account to recipient',
  trader: 'wallet walletaddress address account',
  sharesSubject: 'subject subjectaddress token sharesubject contract address agent',
  subject: 'sharessubject subjectaddress token agent',
  to: 'recipient receiver destination toaddress target address',
  amount: 'quantity qty shares shareamount numshares size n count',
  side: 'action direction operation ordertype tradetype type',
  slippageBps: 'slippage maxslippage slippagepercent slippagetolerance',
  q: 'query search term keyword keywords searchterm question text',
  search: 'q query term keyword keywords searchterm text',
  versionNumber: 'version semver v number',
  v: 'version versionnumber',
  description: 'about summary desc text',
  medias: 'media images image mediaids mediaurls attachments files photos pictures video',
  images: 'image imageurl imageurls medias media photos pictures',
  prompt: 'text description message content input',
  file: 'upload data attachment image video media',
  notificationIds: 'ids id notificationid notifications',
  ids: 'id tweetids agentids usernames notificationids hashes',
  signature: 'sig signed signedmessage proof',
  message: 'text challenge content',
  purpose: 'type action reason for',
  url: 'callback callbackurl endpoint webhookurl targeturl uri link href address',
  tweetUrl: 'url link posturl tweet post',
  topics: 'topic channels subscriptions',
  eventTypes: 'events event types eventtype',
  limit: 'perpage pagesize count max maxresults first take size n',
  page: 'offset skip start pagenumber',
  cursor: 'after nextcursor nexttoken pagetoken continuation next',
  sortBy: 'sort orderby order sortfield',
  sortOrder: 'order direction sortdirection',
  mode: 'feed timeline sort filter',
  xUsername: 'twitter twitterhandle xhandle twitterusername x handle',
  transaction: 'tx rawtransaction signedtransaction raw data',
  visibility: 'private isprivate public privacy audience',
  reason: 'why message text comment category',
}

const USUAL: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(WORDS).map(([name, words]) => [name, new Set(words.split(' '))]),
)

/** Whether callers often call a member by this name, which is in lower case without separators. */
export function isUsualNameOf(member: string, name: string): boolean {
  return USUAL.get(member)?.has(name) === true
}
