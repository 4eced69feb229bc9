# The service in a container: docs/operating.md, "In containers". `npm run image` builds it and tries it.
# Both images can be those of a mirror.
ARG BUILD_IMAGE=node:22-bookworm-slim
ARG BASE_IMAGE=debian:bookworm-slim

FROM $BUILD_IMAGE AS build
WORKDIR /build
COPY . .
# "" instead of --small adds the built-in video renderer, which is as large as the rest.
ARG PRODUCTION=--small
RUN --mount=type=cache,target=/root/.npm npm ci && npm run production -- $PRODUCTION

FROM $BASE_IMAGE
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /build/dist-production /opt/rookery
# An account that owns nothing but the data. Any other number works as well, if /data is writable for it.
RUN mkdir -m 0700 /data && chown 10001:10001 /data
USER 10001:10001
WORKDIR /opt/rookery
ENV NODE_ENV=production HOST=0.0.0.0 METRICS_PORT=9464 METRICS_HOST=0.0.0.0 DATA_DIR=/data LOG_FORMAT=json
VOLUME /data
EXPOSE 3000 9464
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT}/v1/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server/dist/main.js"]
