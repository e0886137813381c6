"""How far two pictures differ: told by the browser, which decodes PNG without another package."""

from base64 import b64decode, b64encode
from dataclasses import dataclass
from typing import Final

from playwright.sync_api import Page

CHANNEL_TOLERANCE: Final = 8
"""Of 255: what two drawings of one edge may differ by, and nobody sees."""

# Gives the share of the pixels that differ, and the second picture, faded, with those in red.
COMPARE: Final = """async ([before, after, tolerance]) => {
  const contextOf = async (png) => {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width, image.height];
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    return context;
  };
  const [first, second] = [await contextOf(before), await contextOf(after)];
  const { width, height } = second.canvas;
  const isOneSize = first.canvas.width === width && first.canvas.height === height;
  const old = first.getImageData(0, 0, width, height).data;
  const shown = second.getImageData(0, 0, width, height);
  const data = shown.data;
  let count = 0;
  for (let at = 0; at < data.length; at += 4) {
    let isOther = !isOneSize;
    for (let channel = at; channel < at + 4; channel += 1)
      isOther ||= Math.abs(old[channel] - data[channel]) > tolerance;
    data[at + 3] = isOther ? 255 : 64;
    if (!isOther) continue;
    count += 1;
    [data[at], data[at + 1], data[at + 2]] = [255, 0, 0];
  }
  second.putImageData(shown, 0, 0);
  return [count / (width * height), second.canvas.toDataURL().split(',')[1]];
}"""


@dataclass(frozen=True, slots=True)
class Difference:
    """What two pictures differ by.

    ``share`` of the pixels, 0 to 1; a pixel differs when one of its channels differs by more than
    ``CHANNEL_TOLERANCE``. ``picture`` is a PNG of the second, faded, with these pixels in red.
    Where the sizes differ every pixel does.
    """

    share: float
    picture: bytes


def difference(before: bytes, after: bytes, *, blank: Page) -> Difference:
    """Compare two PNG; ``blank`` is a page without a policy, such as a new one."""
    sent = [b64encode(before).decode(), b64encode(after).decode(), CHANNEL_TOLERANCE]
    share, picture = blank.evaluate(COMPARE, sent)
    return Difference(share, b64decode(picture))
