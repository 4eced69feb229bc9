/** The logo: a rook, the bird, on the base of a rook, the chess piece. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 64 64" aria-hidden="true" focusable="false">
      <path
        className="mark-plumage"
        d="M0 44C10 41 15 34 19 26 21.500 21 22 16 25 11 28 5.500 32.500 3 37.500 3 43 3 46.500 5.500 48 9.500L47.500 18C47 22 48.500 26 48.500 30c0 10-7 17-15.500 18.500V54h8v3.500h6V63H15v-5.500h6V54h7v-5C17 49.500 7 47 0 44z"
      />
      <path className="mark-bill" d="M48 9c6.500.5 12 4 16 10.500C58 18 53 18 47.500 19z" />
      <circle className="mark-eye" cx="40" cy="11.500" r="2.800" />
    </svg>
  )
}
