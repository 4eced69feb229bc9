import type { ChartInterval } from '@rookery/sdk'
import {
  AreaSeries,
  CandlestickSeries,
  type ChartOptions,
  ColorType,
  CrosshairMode,
  createChart,
  type DeepPartial,
  HistogramSeries,
  type IChartApi,
  LineType,
  type UTCTimestamp,
} from 'lightweight-charts'
import { formatAmount } from '../../../format/bnb.js'
import type { Bar } from './bars.js'
import { type ChartKind, priceRangeOf } from './choose.js'
import { isDated } from './local-time.js'
import { type Colours, readColours } from './theme-colours.js'

export interface Drawing {
  show(bars: readonly Bar[]): void
  paint(): void
  /** Where a time is, in pixels from the left; null where it is not in the picture. */
  xOf(time: number): number | null
  remove(): void
}

const LEAST = 1e-9

// The axis would extend below zero, where there are no prices. Its zero may be off by a rounding error.
const formatPrice = (price: number) => (price < -LEAST ? '' : formatAmount(Math.abs(price).toFixed(10)))

export function draw(
  box: HTMLElement,
  options: {
    readonly kind: ChartKind
    readonly interval: ChartInterval
    readonly point: (time: number | undefined) => void
    readonly moved: () => void
  },
): Drawing {
  const { kind, interval, point, moved } = options
  const chart = createChart(box, {
    autoSize: true,
    // The logo would inject styles, which the content security policy forbids; the credit is below the chart instead.
    layout: { attributionLogo: false },
    crosshair: { mode: CrosshairMode.Normal },
    timeScale: {
      timeVisible: !isDated(interval),
      secondsVisible: false,
      // A line takes the whole width; candles that wide would say nothing.
      ...(kind === 'line' ? { rightOffset: 0 } : { rightOffset: 2, maxBarSpacing: 24 }),
    },
    localization: { priceFormatter: formatPrice },
  })
  let shown: readonly Bar[] = []
  const range = () => {
    const { low, high } = priceRangeOf(shown)
    return { priceRange: { minValue: low, maxValue: high } }
  }
  const prices = kind === 'line' ? addLine(chart, range) : addCandles(chart, range)
  const volumes = chart.addSeries(HistogramSeries, {
    priceScaleId: 'volume',
    lastValueVisible: false,
    priceLineVisible: false,
  })
  chart.priceScale('volume').applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } })
  chart.priceScale('right').applyOptions({ scaleMargins: { top: 0.12, bottom: 0.24 } })

  let colours = readColours(box)
  const times = chart.timeScale()
  chart.subscribeCrosshairMove(({ time }) => point(typeof time === 'number' ? time : undefined))
  times.subscribeVisibleLogicalRangeChange(moved)
  times.subscribeSizeChange(moved)

  function show(bars: readonly Bar[]): void {
    const isFirst = shown.length === 0
    shown = bars
    prices.show(bars)
    volumes.setData(
      bars.map(({ time, volume, open, close }) => ({
        time: time as UTCTimestamp,
        value: volume,
        color: close < open ? colours.badWash : colours.goodWash,
      })),
    )
    if (isFirst && bars.length > 0) times.fitContent()
    moved()
  }
  function paint(): void {
    colours = readColours(box)
    chart.applyOptions(optionsOf(colours))
    prices.paint(colours)
    show(shown)
  }
  paint()
  return {
    show,
    paint,
    xOf(time) {
      const x = times.timeToCoordinate(time as UTCTimestamp)
      return x === null || x < 0 || x > times.width() ? null : x
    },
    remove: () => chart.remove(),
  }
}

/** The prices of a chart in one of its forms. */
interface Prices {
  show(bars: readonly Bar[]): void
  paint(colours: Colours): void
}

type Range = () => { readonly priceRange: { minValue: number; maxValue: number } }

const priceFormat = { type: 'custom', formatter: formatPrice, minMove: 0.000_000_1 } as const

function addCandles(chart: IChartApi, range: Range): Prices {
  const series = chart.addSeries(CandlestickSeries, {
    borderVisible: false,
    priceFormat,
    autoscaleInfoProvider: range,
  })
  return {
    show: (bars) => series.setData(bars.map(({ time, volume: _, ...bar }) => ({ time: time as UTCTimestamp, ...bar }))),
    paint: ({ good, bad }) =>
      series.applyOptions({ upColor: good, wickUpColor: good, downColor: bad, wickDownColor: bad }),
  }
}

function addLine(chart: IChartApi, range: Range): Prices {
  const series = chart.addSeries(AreaSeries, {
    lineType: LineType.WithSteps,
    lineWidth: 2,
    priceFormat,
    autoscaleInfoProvider: range,
  })
  return {
    show: (bars) => series.setData(bars.map(({ time, close }) => ({ time: time as UTCTimestamp, value: close }))),
    paint: ({ accent, accentWash }) =>
      series.applyOptions({ lineColor: accent, topColor: accentWash, bottomColor: accentWash }),
  }
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
