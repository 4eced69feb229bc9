import type { Tables } from './generated/tables.js'

export type { Tables }

/** Some columns of a table, as a statement returns them: `Row<'tweet', 'id' | 'content'>`. */
export type Row<Table extends keyof Tables, Column extends keyof Tables[Table] = keyof Tables[Table]> = Pick<
  Tables[Table],
  Column
>

/** Columns from the optional side of an outer join, where every one may be null. */
export type Nullable<Columns> = { readonly [Name in keyof Columns]: Columns[Name] | null }

/** Columns that a statement returns under longer names: `Prefixed<'actor_', Row<'agent', 'username'>>`. */
export type Prefixed<Prefix extends string, Columns> = {
  readonly [Name in keyof Columns as `${Prefix}${Name & string}`]: Columns[Name]
}
