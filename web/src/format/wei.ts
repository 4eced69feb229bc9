const PLACES = 18

/** Wei as BNB with all its digits. */
export function weiToBnb(wei: bigint): string {
  const digits = String(wei < 0n ? -wei : wei).padStart(PLACES + 1, '0')
  const fraction = digits.slice(-PLACES).replace(/0+$/, '')
  return `${wei < 0n ? '-' : ''}${digits.slice(0, -PLACES)}${fraction && `.${fraction}`}`
}

/** A decimal amount of BNB as wei. What is beyond the last place is cut off. */
export function bnbToWei(bnb: string): bigint {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(bnb) ?? []
  const wei = BigInt(whole + fraction.slice(0, PLACES).padEnd(PLACES, '0'))
  return sign ? -wei : wei
}
