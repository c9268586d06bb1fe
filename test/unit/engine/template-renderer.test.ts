/** [test/unit/engine] Templates that run forever or take all memory: stopped in their own process, while this one goes on and others are rendered. */
import { afterEach, describe, expect, it } from "vitest";
import { RenderStopped, TemplateRenderer } from "../../../engine/tokenizer/template-renderer.ts";

const renderers: TemplateRenderer[] = [];
afterEach(() => {
  for (const renderer of renderers.splice(0)) renderer.close();
});

function start(seconds?: number, mostMib?: number): TemplateRenderer {
  const renderer = new TemplateRenderer(seconds, mostMib);
  renderers.push(renderer);
  return renderer;
}

const greet = { source: "hello {{ name }}", variables: { name: "you" } };
const endless = {
  source:
    "{% for a in r %}{% for b in r %}{% for c in r %}{% for d in r %}{% endfor %}{% endfor %}{% endfor %}{% endfor %}",
  variables: { r: Array.from({ length: 3000 }, (_, i) => i) },
};

describe("a renderer of templates", () => {
  it("gives texts, and what a template says is wrong", async () => {
    const renderer = start();
    expect(await renderer.render(greet)).toEqual({ text: "hello you" });
    const raising = { source: "{{ raise_exception('no such role') }}", variables: {} };
    expect(await renderer.render(raising)).toEqual({ failure: "no such role" });
    expect(await renderer.render({ source: "{% if %}", variables: {} })).toHaveProperty("failure");
    const held = { source: "{{ f }}", variables: { f: () => 1 } };
    await expect(renderer.render(held)).rejects.toThrow(/could not be cloned/);
    expect(await renderer.render(greet)).toEqual({ text: "hello you" });
  });

  it("stops what does not end; this process is free meanwhile, and those behind it are rendered", async () => {
    const renderer = start(1);
    await renderer.render(greet); // its process is there
    let ticks = 0;
    const timer = setInterval(() => ticks++, 10);
    const stopped = renderer.render(endless);
    const behind = renderer.render(greet);
    await expect(stopped).rejects.toThrow(new RenderStopped("it did not end within 1 s"));
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(20);
    expect(await behind).toEqual({ text: "hello you" });
  }, 30_000);

  it("stops what takes all memory", async () => {
    const renderer = start(60, 48);
    const greedy = {
      source:
        "{% set ns = namespace(x=r) %}{% for i in range(40) %}{% set ns.x = ns.x + ns.x %}{% endfor %}{{ ns.x }}",
      variables: { r: [[1], [2], [3]] },
    };
    await expect(renderer.render(greedy)).rejects.toThrow(/48 MiB/);
    expect(await renderer.render(greet)).toEqual({ text: "hello you" });
  }, 90_000);

  it("fails what it renders when it is closed", async () => {
    const renderer = start();
    const stopped = renderer.render(endless);
    renderer.close();
    await expect(stopped).rejects.toThrow("the server ends");
  });
});
