/** Where well-known providers have their tokens, as their own documentation gives it. */
export interface OauthProvider {
  readonly provider: string
  readonly title: string
  readonly authorizationUrl: string | null
  readonly tokenUrl: string
  /** Scopes that are often asked for; the first is taken when the credential names none. */
  readonly scopes: readonly string[]
  readonly grantTypes: readonly string[]
  /** Where the client's id and secret go: in the form, or in the header of HTTP's basic authentication. */
  readonly authentication: 'body' | 'basic'
}

const code = ['authorization_code', 'refresh_token']
const machine = ['client_credentials', ...code]

export const oauthProviders: readonly OauthProvider[] = [
  provider(
    'atlassian',
    'Atlassian',
    'https://auth.atlassian.com/authorize',
    'https://auth.atlassian.com/oauth/token',
    ['offline_access read:jira-work', 'read:confluence-content.all'],
    code,
  ),
  provider(
    'box',
    'Box',
    'https://account.box.com/api/oauth2/authorize',
    'https://api.box.com/oauth2/token',
    ['root_readonly', 'root_readwrite'],
    machine,
  ),
  provider(
    'discord',
    'Discord',
    'https://discord.com/oauth2/authorize',
    'https://discord.com/api/oauth2/token',
    ['identify', 'guilds'],
    machine,
  ),
  provider(
    'dropbox',
    'Dropbox',
    'https://www.dropbox.com/oauth2/authorize',
    'https://api.dropboxapi.com/oauth2/token',
    ['files.metadata.read', 'files.content.read'],
    code,
  ),
  provider(
    'github',
    'GitHub',
    'https://github.com/login/oauth/authorize',
    'https://github.com/login/oauth/access_token',
    ['repo', 'read:org', 'user'],
    code,
  ),
  provider(
    'gitlab',
    'GitLab',
    'https://gitlab.com/oauth/authorize',
    'https://gitlab.com/oauth/token',
    ['read_api', 'api'],
    code,
  ),
  provider(
    'google',
    'Google',
    'https://accounts.google.com/o/oauth2/v2/auth',
    'https://oauth2.googleapis.com/token',
    [
      'openid',
      'https://www.googleapis.com/auth/drive.readonly',
      'https://www.googleapis.com/auth/spreadsheets.readonly',
    ],
    code,
  ),
  provider(
    'hubspot',
    'HubSpot',
    'https://app.hubspot.com/oauth/authorize',
    'https://api.hubapi.com/oauth/v1/token',
    ['crm.objects.contacts.read', 'oauth'],
    code,
  ),
  provider(
    'linkedin',
    'LinkedIn',
    'https://www.linkedin.com/oauth/v2/authorization',
    'https://www.linkedin.com/oauth/v2/accessToken',
    ['openid', 'profile', 'email'],
    machine,
  ),
  provider(
    'microsoft',
    'Microsoft',
    'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    ['https://graph.microsoft.com/.default', 'offline_access User.Read'],
    machine,
  ),
  provider(
    'notion',
    'Notion',
    'https://api.notion.com/v1/oauth/authorize',
    'https://api.notion.com/v1/oauth/token',
    [],
    code,
    'basic',
  ),
  provider(
    'paypal',
    'PayPal',
    null,
    'https://api-m.paypal.com/v1/oauth2/token',
    [],
    ['client_credentials'],
    'basic',
  ),
  provider(
    'reddit',
    'Reddit',
    'https://www.reddit.com/api/v1/authorize',
    'https://www.reddit.com/api/v1/access_token',
    ['read', 'identity'],
    ['password', ...machine],
    'basic',
  ),
  provider(
    'salesforce',
    'Salesforce',
    'https://login.salesforce.com/services/oauth2/authorize',
    'https://login.salesforce.com/services/oauth2/token',
    ['api', 'refresh_token'],
    ['password', ...machine],
  ),
  provider(
    'slack',
    'Slack',
    'https://slack.com/oauth/v2/authorize',
    'https://slack.com/api/oauth.v2.access',
    ['channels:read', 'users:read'],
    code,
  ),
  provider(
    'spotify',
    'Spotify',
    'https://accounts.spotify.com/authorize',
    'https://accounts.spotify.com/api/token',
    ['user-read-email', 'playlist-read-private'],
    machine,
    'basic',
  ),
  provider(
    'twitch',
    'Twitch',
    'https://id.twitch.tv/oauth2/authorize',
    'https://id.twitch.tv/oauth2/token',
    ['user:read:email'],
    machine,
  ),
  provider(
    'x',
    'X',
    'https://x.com/i/oauth2/authorize',
    'https://api.x.com/2/oauth2/token',
    ['tweet.read users.read offline.access'],
    machine,
    'basic',
  ),
  provider(
    'zoom',
    'Zoom',
    'https://zoom.us/oauth/authorize',
    'https://zoom.us/oauth/token',
    ['user:read', 'meeting:read'],
    code,
    'basic',
  ),
]

function provider(
  name: string,
  title: string,
  authorizationUrl: string | null,
  tokenUrl: string,
  scopes: readonly string[],
  grantTypes: readonly string[],
  authentication: OauthProvider['authentication'] = 'body',
): OauthProvider {
  return { provider: name, title, authorizationUrl, tokenUrl, scopes, grantTypes, authentication }
}

const byName: ReadonlyMap<string | undefined, OauthProvider> = new Map(
  oauthProviders.map(item => [item.provider, item]),
)

export const oauthProvider = (name: string | undefined): OauthProvider | undefined => byName.get(name)
