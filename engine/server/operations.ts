/** [engine/server] Routes of those who run the server: health, version, metrics, cache, sleep. */
import type { FastifyInstance, FastifyReply } from "fastify";
import { z } from "zod";
import { packageVersion } from "../version.ts";
import type { ServerContext } from "./context.ts";
import { parseBody } from "./schema.ts";

/** As in vLLM; `mode`: whether requests that run are waited for. */
const sleepQuery = z
  .object({
    level: z.enum(["1", "2"]).default("1"),
    mode: z.enum(["wait", "abort"]).default("wait"),
  })
  .loose();

export function addOperations(app: FastifyInstance, context: ServerContext): void {
  const { engine, desk, metrics, options } = context;
  const isHealthy = () => engine.isAlive && !desk.isDraining;
  const health = async (_request: unknown, reply: FastifyReply) => {
    const state = engine.isAsleep ? "asleep" : "awake";
    return reply
      .header("x-engine-state", state)
      .status(isHealthy() ? 200 : 503)
      .send();
  };
  for (const path of ["/health", "/ping"]) app.get(path, health);
  app.post("/ping", health);
  app.get("/version", async () => ({ version: packageVersion() }));
  app.get("/load", async () => ({ server_load: engine.numRunning + engine.numWaiting }));
  app.get("/metrics", async (_request, reply) => {
    void reply.header("content-type", metrics.contentType);
    return metrics.text();
  });
  if (options.adminRoutes === true) addAdmin(app, context);
}

function addAdmin(app: FastifyInstance, { engine }: ServerContext): void {
  app.post("/reset_prefix_cache", async (_request, reply) => {
    engine.resetPrefixCache();
    return reply.status(200).send();
  });
  app.post("/sleep", async (request, reply) => {
    const { level, mode } = parseBody(sleepQuery, request.query ?? {});
    const { freedBytes, hostBytes } = await engine.sleep(level === "2" ? 2 : 1, mode === "abort");
    return reply
      .status(200)
      .send({ level: Number(level), freed_bytes: freedBytes, host_bytes: hostBytes });
  });
  app.post("/wake_up", async (_request, reply) => {
    await engine.wake();
    return reply.status(200).send();
  });
  app.get("/is_sleeping", async () => ({ is_sleeping: engine.isAsleep }));
}
