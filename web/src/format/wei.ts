const PLACES = 18

/** Keeps all digits. */
export function weiToBnb(wei: bigint): string {
  const digits = String(wei < 0n ? -wei : wei).padStart(PLACES + 1, '0')
  const fraction = digits.slice(-PLACES).replace(/0+$/, '')
  return `${wei < 0n ? '-' : ''}${digits.slice(0, -PLACES)}${fraction && `.${fraction}`}`
}

/** Converts a decimal BNB amount to wei. Truncates digits beyond the last place. */
export function bnbToWei(bnb: string): bigint {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(bnb) ?? []
  const wei = BigInt(whole + fraction.slice(0, PLACES).padEnd(PLACES, '0'))
  return sign ? -wei : wei
}
