# One static program in an image that holds nothing else.
#
#   docker build --build-arg VERSION=1.2.3 -t almanac .
#   docker run -p 127.0.0.1:3000:3000 -v almanac:/data --read-only almanac

# The viewer behind /api/docs, which comes from npm.
FROM node:22-bookworm-slim AS viewer
WORKDIR /src/api/reference
COPY api/reference/ ./
RUN npm ci --ignore-scripts --no-audit --no-fund && npm run --silent build

# The web application.
FROM node:22-bookworm-slim AS web
WORKDIR /src/web
COPY web/package.json web/package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY api/openapi.yaml api/ui.yaml /src/api/
COPY docs/ /src/docs/
COPY internal/webapp/dist/ /src/internal/webapp/dist/
COPY web/ ./
RUN npm run --silent build

FROM golang:1.26.8-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
COPY --from=viewer /src/api/reference/dist/ api/reference/dist/
COPY --from=web /src/internal/webapp/dist/ internal/webapp/dist/
ARG VERSION=
# Both are newer than what they are made of: make then leaves them alone.
RUN touch api/reference/dist/* internal/webapp/dist/index.html && make build VERSION="$VERSION" && mkdir -m 0700 /empty

FROM scratch
# Certificates are for what the server itself connects to over TLS: buckets, PostgreSQL, webhooks.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /src/bin/almanac /almanac
COPY --from=build --chown=65532:65532 --chmod=0700 /empty /data
USER 65532:65532
ENV ALMANAC_DATA=/data ALMANAC_LISTEN=0.0.0.0:3000 ALMANAC_OTLP_GRPC_LISTEN=0.0.0.0:4317 ALMANAC_METRICS_LISTEN=0.0.0.0:9464
VOLUME /data
# 9464 is for Prometheus: publish it to nobody else.
EXPOSE 3000 4317 9464
HEALTHCHECK --interval=10s --timeout=6s --start-period=60s --retries=3 CMD ["/almanac", "health"]
ENTRYPOINT ["/almanac"]
CMD ["serve"]
