/** Copies the layers of a drawing onto one ground, and offers the picture as a file. */
export async function savePicture(box: HTMLElement, ground: string, name: string): Promise<void> {
  const { width, height } = box.getBoundingClientRect()
  const scale = window.devicePixelRatio || 1
  const picture = document.createElement('canvas')
  picture.width = Math.round(width * scale)
  picture.height = Math.round(height * scale)
  const pen = picture.getContext('2d')
  if (!pen) return
  pen.fillStyle = ground
  pen.fillRect(0, 0, picture.width, picture.height)
  for (const layer of box.querySelectorAll('canvas'))
    if (layer.width > 0) pen.drawImage(layer, 0, 0, picture.width, picture.height)
  const blob = await new Promise<Blob | null>((resolve) => picture.toBlob(resolve, 'image/png'))
  if (!blob) return
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
