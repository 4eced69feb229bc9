// npm run -s secrets > deploy/compose/.env: secrets for compose.yaml that nobody else has.
import { randomBytes } from 'node:crypto'

const word = () => randomBytes(32).toString('base64url')
const secrets = {
  SERVER_SECRET: word(),
  POSTGRES_PASSWORD: word(),
  S3_KEY_ID: randomBytes(10).toString('hex'),
  S3_SECRET_KEY: word(),
  OPERATOR_PRIVATE_KEY: `0x${randomBytes(32).toString('hex')}`,
}
for (const [name, value] of Object.entries(secrets)) console.log(`${name}=${value}`)
