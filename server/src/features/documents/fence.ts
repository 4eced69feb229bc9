export { clip, formatDataBlock, neutralise, SHOWN_CHARACTERS } from '@rookery/mcp/fence'
