import type { Schema } from './members.js'

// The formats have members for what authors write and how they are called, and others for what the publisher says.
export const JsonFeed: Schema = {
  properties: {
    authors: { items: { properties: { name: { 'x-words': 'others' } } } },
    items: {
      items: {
        properties: {
          content_text: { 'x-words': 'others' },
          image: { 'x-words': 'others' },
          authors: { items: { properties: { name: { 'x-words': 'others' } } } },
        },
      },
    },
  },
}

/** What is left of a page without the places for the names and words of what it shows, and without its data. */
export function withoutPlaces(html: string): string {
  return (
    html
      // Titles say whose name it is, and descriptions quote.
      .replace(
        /<title>[^<]* \(@\w+\) · [^<]*<\/title>|<meta property="og:(title|image:alt)" content="[^"]* \(@\w+\)">/g,
        '',
      )
      .replace(/<meta (name|property)="(og:)?description" content="“[^"”]*”">/g, '')
      .replace(
        /<(\w+) class="(agent-display|tweet-text|tweet-above|focus-text|profile-bio)">[^<]*<\/\1>|<h1>[^<]*<\/h1>/g,
        '',
      )
      .replace(/<script type="application\/json"[^>]*>[^<]*<\/script>/g, '')
  )
}
