/** [runtime/bench] The pieces of plain SVG that pictures of measurements are made of. Knows no measurement. */

export interface SvgSize {
  readonly width: number;
  readonly height: number;
}

/** @returns the text of a file: white ground, a title above what is drawn, and for readers that see no picture */
export function svgDocument(
  { width, height }: SvgSize,
  left: number,
  title: string,
  body: readonly string[],
): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<title>${svgEscaped(title)}</title>
<rect width="${width}" height="${height}" fill="white"/>
${svgText(left, 24, title, 'font-size="15"')}
${body.join("\n")}
</svg>
`;
}

export function svgLine(x1: number, y1: number, x2: number, y2: number, color: string): string {
  return `<line x1="${svgNumber(x1)}" y1="${svgNumber(y1)}" x2="${svgNumber(x2)}" y2="${svgNumber(y2)}" stroke="${color}"/>`;
}

export function svgText(x: number, y: number, content: string, attributes = ""): string {
  const more = attributes === "" ? "" : ` ${attributes}`;
  return `<text x="${svgNumber(x)}" y="${svgNumber(y)}"${more}>${svgEscaped(content)}</text>`;
}

export function svgEscaped(content: string): string {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Tenths of a pixel are enough. */
export function svgNumber(value: number): string {
  return value.toFixed(1);
}
