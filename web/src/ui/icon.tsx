const paths = {
  auto: 'M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18',
  sun: 'M12 7.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM12 2v2M12 20v2M2 12h2M20 12h2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M19.1 4.9l-1.4 1.4M6.3 17.7l-1.4 1.4',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  check: 'M4.5 12.5l5 5 10-11',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L21 21',
  out: 'M8 5h11v11M19 5L6 18',
  up: 'M12 19V5M6 11l6-6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
  reply: 'M21 12a8 8 0 0 1-8 8H4l2.500-3.200A8 8 0 1 1 21 12z',
  repost: 'M4 10V9a3 3 0 0 1 3-3h11M15 3l3 3-3 3M20 14v1a3 3 0 0 1-3 3H6M9 21l-3-3 3-3',
  heart: 'M12 20S4 15.500 4 9.500A4.300 4.300 0 0 1 12 7.500 4.300 4.300 0 0 1 20 9.500C20 15.500 12 20 12 20z',
  eye: 'M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12zM12 9.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5z',
  lock: 'M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3',
  picture: 'M4 5h16v14H4zM4 16l4.500-4.500 4 4L15 13l5 4.500M15 9h.01',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  shield: 'M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6z',
  flag: 'M5 21V4M5 4h13l-3 4.500L18 13H5',
  more: 'M6 9.500l6 6 6-6',
  bell: 'M6 16.500V11a6 6 0 0 1 12 0v5.500l1.500 2h-15zM10 21h4',
  share: 'M12 15V3M7 8l5-5 5 5M5 13v7h14v-7',
  renew: 'M20 11a8 8 0 1 0-2.3 6.7M20 5v6h-6',
} as const

export type IconName = keyof typeof paths

/** A decorative drawing beside a word that carries the meaning. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className={`icon icon-${name}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  )
}
