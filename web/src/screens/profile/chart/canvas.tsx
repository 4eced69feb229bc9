import {
  CandlestickSeries,
  type ChartOptions,
  ColorType,
  CrosshairMode,
  createChart,
  type DeepPartial,
  HistogramSeries,
  type UTCTimestamp,
} from 'lightweight-charts'
import { useEffect, useRef } from 'react'
import { formatAmount } from '../../../format/bnb.js'
import type { Bar } from './bars.js'

/** The drawing itself. A sentence beside it describes what it shows. */
export function ChartCanvas({ bars, onPoint }: { bars: readonly Bar[]; onPoint: (bar: Bar | undefined) => void }) {
  const box = useRef<HTMLDivElement>(null)
  const drawing = useRef<Drawing>(undefined)
  const point = useRef(onPoint)
  point.current = onPoint

  useEffect(() => {
    if (!box.current) return
    const drawn = draw(box.current, (bar) => point.current(bar))
    drawing.current = drawn
    const stop = watchTheme(drawn.paint)
    return () => {
      stop()
      drawn.remove()
    }
  }, [])
  useEffect(() => drawing.current?.show(bars), [bars])
  return <div ref={box} className="chart-canvas" aria-hidden="true" />
}

interface Drawing {
  show(bars: readonly Bar[]): void
  paint(): void
  remove(): void
}

// The axis would extend below zero, where there are no prices.
const formatPrice = (price: number) => (price < 0 ? '' : formatAmount(price.toFixed(10)))

function draw(box: HTMLElement, point: (bar: Bar | undefined) => void): Drawing {
  const chart = createChart(box, {
    autoSize: true,
    // The logo would inject styles, which the content security policy forbids; the credit is below the chart instead.
    layout: { attributionLogo: false },
    crosshair: { mode: CrosshairMode.Normal },
    timeScale: { timeVisible: true, secondsVisible: false, rightOffset: 2, maxBarSpacing: 24 },
    localization: { priceFormatter: formatPrice },
  })
  const prices = chart.addSeries(CandlestickSeries, {
    borderVisible: false,
    priceFormat: { type: 'custom', formatter: formatPrice, minMove: 0.000_000_1 },
  })
  const volumes = chart.addSeries(HistogramSeries, {
    priceScaleId: 'volume',
    lastValueVisible: false,
    priceLineVisible: false,
  })
  chart.priceScale('volume').applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } })
  prices.priceScale().applyOptions({ scaleMargins: { top: 0.08, bottom: 0.24 } })

  let shown: readonly Bar[] = []
  let colours = readColours(box)
  chart.subscribeCrosshairMove(({ time }) => point(shown.find((bar) => bar.time === time)))

  function show(bars: readonly Bar[]): void {
    const isFirst = shown.length === 0
    shown = bars
    prices.setData(bars.map(({ time, volume: _, ...bar }) => ({ time: time as UTCTimestamp, ...bar })))
    volumes.setData(
      bars.map(({ time, volume, open, close }) => ({
        time: time as UTCTimestamp,
        value: volume,
        color: close < open ? colours.badWash : colours.goodWash,
      })),
    )
    if (isFirst && bars.length > 0) chart.timeScale().fitContent()
  }
  function paint(): void {
    colours = readColours(box)
    chart.applyOptions(optionsOf(colours))
    const { good, bad } = colours
    prices.applyOptions({ upColor: good, wickUpColor: good, downColor: bad, wickDownColor: bad })
    show(shown)
  }
  paint()
  return { show, paint, remove: () => chart.remove() }
}

function optionsOf({ ground, ink, line }: Colours): DeepPartial<ChartOptions> {
  return {
    layout: {
      background: { type: ColorType.Solid, color: ground },
      textColor: ink,
      fontFamily: getComputedStyle(document.body).fontFamily,
    },
    grid: { vertLines: { color: line }, horzLines: { color: line } },
    timeScale: { borderColor: line },
    rightPriceScale: { borderColor: line },
  }
}

const tokens = {
  ground: '--surface',
  ink: '--ink-soft',
  line: '--line',
  good: '--good',
  bad: '--bad',
  goodWash: '--good-soft',
  badWash: '--bad-soft',
} as const

type Colours = Record<keyof typeof tokens, string>

// A token may have a light and a dark colour; a probe element shows which one applies.
function readColours(box: HTMLElement): Colours {
  const probe = document.createElement('span')
  box.append(probe)
  const entries = Object.entries(tokens).map(([name, token]) => {
    probe.style.color = `var(${token})`
    return [name, getComputedStyle(probe).color]
  })
  probe.remove()
  return Object.fromEntries(entries) as Colours
}

function watchTheme(changed: () => void): () => void {
  const system = window.matchMedia('(prefers-color-scheme: dark)')
  const choice = new MutationObserver(changed)
  system.addEventListener('change', changed)
  choice.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  return () => {
    system.removeEventListener('change', changed)
    choice.disconnect()
  }
}
