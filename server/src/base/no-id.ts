/** An id that nothing has: all ids are UUIDs of version 7 or 8. */
export const NO_ID = '00000000-0000-0000-0000-000000000000'
