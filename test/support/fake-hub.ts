/** [test/support] A model hub on the loopback: one repository with commits, branches and tags, served as the hub's HTTP API serves it. */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Commit {
  readonly sha: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Files of at least this size are stored as the hub stores large ones. */
const LARGE = 20_000;

export class FakeHub {
  readonly #server: Server;
  readonly #name: string;
  readonly #commits: Commit[] = [];
  readonly #refs = new Map<string, string>();
  /** Requests so far, `METHOD path`; whole downloads are `GET file`. */
  readonly log: string[] = [];
  readonly tokens = new Set<string | undefined>();
  /** Answers everything with this status where it is set. */
  status: number | undefined;
  /** Flips a bit in every file that is sent. */
  damages = false;
  /** Put in the place of every content's name, as a hub that lies would. */
  contentName: string | undefined;
  /** Put in the place of every commit's id. */
  commitName: string | undefined;

  private constructor(name: string) {
    this.#name = name;
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  /** @param name hub id of the repository, `owner/name` */
  static async start(name: string): Promise<FakeHub> {
    const hub = new FakeHub(name);
    await new Promise<void>((resolve) => hub.#server.listen(0, "127.0.0.1", resolve));
    return hub;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get downloads(): readonly string[] {
    return this.log.filter((line) => line.startsWith("file ")).map((line) => line.slice(5));
  }

  /** Adds a commit with these files and moves the branch to it. @returns its id */
  commit(files: Readonly<Record<string, Uint8Array>>, branch = "main"): string {
    const sha = createHash("sha1").update(`commit ${this.#commits.length}`).digest("hex");
    this.#commits.push({ sha, files: new Map(Object.entries(files)) });
    this.#refs.set(branch, sha);
    return sha;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const path = decodeURIComponent((request.url ?? "").split("?")[0] ?? "");
    this.log.push(`${request.method} ${path}`);
    this.tokens.add(request.headers.authorization);
    if (this.status !== undefined) {
      response.writeHead(this.status, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: `status ${this.status}` }));
      return;
    }
    const api = `/api/models/${this.#name}`;
    const revision = new RegExp(`^${api}/revision/(.+)$`).exec(path)?.[1];
    const tree = new RegExp(`^${api}/tree/(.+)$`).exec(path)?.[1];
    const file = new RegExp(`^/${this.#name}/resolve/([^/]+)/(.+)$`).exec(path);
    if (revision !== undefined)
      this.#json(response, this.#find(revision), ({ sha }) => ({
        _id: "1",
        id: this.#name,
        sha: this.commitName ?? sha,
      }));
    else if (tree !== undefined)
      this.#json(response, this.#find(tree), (one) => entriesOf(one, this.contentName));
    else if (file !== null) this.#file(request, response, file[1] ?? "", file[2] ?? "");
    else response.writeHead(404).end("{}");
  }

  #find(revision: string): Commit | undefined {
    const sha = this.#refs.get(revision) ?? revision;
    return this.#commits.find((commit) => commit.sha === sha);
  }

  #json(response: ServerResponse, commit: Commit | undefined, body: (c: Commit) => unknown): void {
    response.writeHead(commit === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(commit === undefined ? { error: "not found" } : body(commit)));
  }

  #file(request: IncomingMessage, response: ServerResponse, revision: string, path: string): void {
    const content = this.#find(revision)?.files.get(path);
    if (content === undefined) {
      response.writeHead(404, { "x-error-code": "EntryNotFound" }).end("{}");
      return;
    }
    const range = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? "");
    const start = Number(range?.[1] ?? 0);
    const end = range?.[2] ? Math.min(Number(range[2]) + 1, content.length) : content.length;
    if (end - start > 1) this.log.push(`file ${path}`);
    const body = Buffer.from(content.subarray(start, end));
    if (this.damages) body[0] = (body[0] ?? 0) ^ 1;
    response.writeHead(range === null ? 200 : 206, {
      etag: `"${etagOf(content)}"`,
      "content-length": body.length,
      ...(range === null ? {} : { "content-range": `bytes ${start}-${end - 1}/${content.length}` }),
    });
    response.end(body);
  }
}

function etagOf(content: Uint8Array): string {
  if (content.length >= LARGE) return createHash("sha256").update(content).digest("hex");
  return createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
}

function entriesOf({ files }: Commit, name: string | undefined): readonly object[] {
  return [...files].map(([path, content]) => ({
    type: "file",
    path,
    size: content.length,
    oid: createHash("sha1").update(path).digest("hex"), // of the pointer where the file is large
    ...(content.length >= LARGE
      ? { lfs: { oid: name ?? etagOf(content), size: content.length, pointerSize: 130 } }
      : { oid: name ?? etagOf(content) }),
  }));
}
