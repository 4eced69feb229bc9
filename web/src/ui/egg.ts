import { type Egg, layEgg as layNewEgg } from '@rookery/sdk'

export { type Egg, GROUNDS } from '@rookery/sdk'

const eggs = new Map<string, Egg>()

/** The egg of a name, computed once. */
export function layEgg(name: string): Egg {
  const egg = eggs.get(name) ?? layNewEgg(name)
  eggs.set(name, egg)
  return egg
}
