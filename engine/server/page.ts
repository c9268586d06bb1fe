/** [engine/server] GET /: the chat page as one document that loads nothing, under a policy that allows its own script and style alone. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";

/** A document and the policy that holds for it. */
export interface ChatPage {
  readonly html: string;
  /** Value of `content-security-policy`. @source W3C, Content Security Policy Level 3 */
  readonly policy: string;
}

/** The page asks for a key itself where the server wants one; it tells nothing of the server. */
export function addPage(app: FastifyInstance): void {
  const { html, policy } = chatPage();
  app.get("/", async (_request, reply) =>
    reply
      .headers({
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": policy,
        "cache-control": "no-cache",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
      })
      .send(html),
  );
}

export function chatPage(): ChatPage {
  const style = part("chat.css");
  const script = `${moduleBody("stream.js")}\n${moduleBody("chat.js")}`;
  const html = part("chat.html")
    .replace("<style></style>", () => `<style>${style}</style>`)
    .replace('"module"></script>', () => `"module">${script}</script>`);
  const policy = [
    "default-src 'none'",
    `script-src ${sourceOf(script)}`,
    `style-src ${sourceOf(style)}`,
    "connect-src 'self'",
    "img-src data:", // the icon that says there is none
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return { html, policy: policy.join("; ") };
}

/** What a module says, without its ties to the others: in the page they are one. */
function moduleBody(name: string): string {
  return part(name)
    .replaceAll(/^import .+ from "\.\/.+";\n/gm, "")
    .replaceAll(/^export /gm, "");
}

function part(name: string): string {
  return readFileSync(new URL(`./page/${name}`, import.meta.url), "utf8");
}

function sourceOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
