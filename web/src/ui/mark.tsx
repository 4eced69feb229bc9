/** The head of a rook: dark plumage, pale bill. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path
        className="mark-plumage"
        d="M4 30C4 22.5 5 18.5 5 14 5 7.6 9.4 3 15 3c4.3 0 7.300 2.400 8.300 6.200l-.1 5.300C22.700 19.500 24.500 24 27 30z"
      />
      <path className="mark-bill" d="M23.100 8.600C26.500 9.600 29.600 12.400 31.500 16.600 28.500 15.400 25.700 15.100 22.900 15.700z" />
      <circle className="mark-eye" cx="17.600" cy="10" r="1.700" />
    </svg>
  )
}
