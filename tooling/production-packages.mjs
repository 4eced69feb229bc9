// Which installed packages, and which of their files, a program needs to run on this machine.
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

/** Finds the workspaces and packages that programs need at run time, as paths relative to `root`. */
export function findPackages(root, programs) {
  const found = new Set()
  const waiting = programs.map((program) => join(root, program))
  for (const folder of waiting) {
    if (found.has(folder)) continue
    found.add(folder)
    for (const { name, isNeeded } of dependenciesOf(folder)) {
      const place = findInstalled(root, folder, name)
      if (place) waiting.push(place)
      else if (isNeeded) throw new Error(`${name}, which ${relative(root, folder)} needs, is not installed: run npm ci`)
    }
  }
  const paths = [...found].map((folder) => relative(root, folder))
  const isPackage = (path) => path.split(sep).includes('node_modules')
  return { packages: paths.filter(isPackage), workspaces: paths.filter((path) => !isPackage(path)) }
}

function dependenciesOf(folder) {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = readPackage(folder)
  const optional = { ...optionalDependencies }
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional)
  return [...Object.keys({ ...dependencies, ...optional }), ...peers].map((name) => ({
    name,
    isNeeded: !(name in optional) && !peers.includes(name),
  }))
}

// Searches as Node does: in the folder itself, then in its parents.
function findInstalled(root, from, name) {
  for (let folder = from; folder.startsWith(root); folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name)
    // A workspace is a link.
    if (existsSync(place)) return realpathSync(place)
    if (folder === dirname(folder)) break
  }
}

function readPackage(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

// "…-linux-x64-musl": a package with the binary for one kind of machine. Some are installed for all kinds, because they do not declare theirs to npm.
const PLATFORM = /-(darwin|linux|win32|freebsd|android)-(x64|arm64|arm|ia32|ppc64|riscv64|s390x)(?:-(gnu|musl|msvc))?$/

export function isForThisMachine(path, machine = thisMachine()) {
  const [, platform, arch, libc] = PLATFORM.exec(path) ?? []
  if (!platform) return true
  if (platform !== machine.platform || arch !== machine.arch) return false
  return libc === undefined || libc === 'msvc' || libc === machine.libc
}

/** Whether a file is a binary for another kind of machine, in a package that has binaries for all kinds. */
export function isForeignFile(path, machine = thisMachine()) {
  const [, platform, arch] = /onnxruntime-node\/bin\/napi-v\d+\/(\w+)(?:\/(\w+))?/.exec(path.split(sep).join('/')) ?? []
  return platform !== undefined && (platform !== machine.platform || (arch !== undefined && arch !== machine.arch))
}

let libc

function thisMachine() {
  libc ??= process.platform === 'linux' && process.report.getReport().header.glibcVersionRuntime ? 'gnu' : 'musl'
  return { platform: process.platform, arch: process.arch, libc }
}
