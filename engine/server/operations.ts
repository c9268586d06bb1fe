/** [engine/server] Routes of those who run the server: health, version, metrics, cache, sleep. */
import type { FastifyInstance } from "fastify";
import { packageVersion } from "../version.ts";
import type { ServerContext } from "./context.ts";

export function addOperations(app: FastifyInstance, context: ServerContext): void {
  const { engine, desk, metrics, options } = context;
  const isHealthy = () => engine.isAlive && !desk.isDraining;
  for (const path of ["/health", "/ping"])
    app.get(path, async (_request, reply) => reply.status(isHealthy() ? 200 : 503).send());
  app.post("/ping", async (_request, reply) => reply.status(isHealthy() ? 200 : 503).send());
  app.get("/version", async () => ({ version: packageVersion() }));
  app.get("/load", async () => ({ server_load: engine.numRunning + engine.numWaiting }));
  app.get("/metrics", async (_request, reply) => {
    void reply.header("content-type", metrics.contentType);
    return metrics.text();
  });
  if (options.adminRoutes === true) addAdmin(app, context);
}

function addAdmin(app: FastifyInstance, { desk, engine }: ServerContext): void {
  app.post("/reset_prefix_cache", async (_request, reply) => {
    engine.resetPrefixCache();
    return reply.status(200).send();
  });
  app.post("/sleep", async (_request, reply) => {
    desk.sleep(true);
    return reply.status(200).send();
  });
  app.post("/wake_up", async (_request, reply) => {
    desk.sleep(false);
    return reply.status(200).send();
  });
  app.get("/is_sleeping", async () => ({ is_sleeping: desk.isAsleep }));
}
