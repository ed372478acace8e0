#!/usr/bin/env python3
"""Makes the sample videos, for developers: needs Pillow, espeak-ng, ffmpeg and the Noto CJK and DejaVu fonts.

Each film is a row of scenes; a scene is a title, a drawing that moves, and a sentence that is spoken while it
is shown. The results are committed; nobody needs this to use them.
"""

import math
import pathlib
import subprocess
import tempfile
import wave

from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT, RATE, FINE = 640, 360, 10, 2
INK, BLUE, ORANGE, GREEN, RED = "#22303c", "#1f5f8b", "#e08e2b", "#4f9d69", "#a23b5a"
FONTS = {"en": "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf",
         "zh": "/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc"}


class Canvas:
    """One frame, drawn larger and made small at the end, which smooths its edges."""

    def __init__(self, language, background="#fbfaf6"):
        self.image = Image.new("RGB", (WIDTH * FINE, HEIGHT * FINE), background)
        self.draw = ImageDraw.Draw(self.image)
        self.language = language

    def _scaled(self, points):
        return [(x * FINE, y * FINE) for x, y in points]

    def line(self, points, color=INK, width=3):
        self.draw.line(self._scaled(points), fill=color, width=width * FINE, joint="curve")

    def shape(self, points, color, outline=INK):
        self.draw.polygon(self._scaled(points), fill=color, outline=outline)

    def disc(self, x, y, radius, color, outline=INK):
        box = [(x - radius) * FINE, (y - radius) * FINE, (x + radius) * FINE, (y + radius) * FINE]
        self.draw.ellipse(box, fill=color, outline=outline, width=2 * FINE)

    def text(self, x, y, words, size=22, color=INK, anchor="mm"):
        font = ImageFont.truetype(FONTS[self.language], size * FINE)
        self.draw.text((x * FINE, y * FINE), words, fill=color, font=font, anchor=anchor)

    def bytes(self):
        return self.image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS).tobytes()


def title_slide(canvas, _):
    for i in range(7):
        canvas.disc(140 + 60 * i, 250, 22, [BLUE, ORANGE, GREEN, RED][i % 4])


def pendulum(canvas, t):
    angle = 0.6 * math.cos(2.2 * t)
    x, y = 320 + 190 * math.sin(angle), 80 + 190 * math.cos(angle)
    canvas.line([(220, 80), (420, 80)], width=6)
    canvas.line([(320, 80), (x, y)])
    canvas.disc(x, y, 24, ORANGE)


def _gear(canvas, x, y, radius, teeth, angle, color):
    points = []
    for i in range(teeth * 4):
        reach = radius + (9 if i % 4 in (1, 2) else -4)
        turn = angle + math.tau * i / (teeth * 4)
        points.append((x + reach * math.cos(turn), y + reach * math.sin(turn)))
    canvas.shape(points, color)
    canvas.disc(x, y, radius / 5, "#fbfaf6")
    canvas.line([(x, y), (x + radius * 0.8 * math.cos(angle), y + radius * 0.8 * math.sin(angle))])


def gears(canvas, t):
    _gear(canvas, 250, 215, 96, 24, 0.8 * t, BLUE)
    _gear(canvas, 402, 215, 48, 12, -1.6 * t + math.pi / 12, ORANGE)


def piston(canvas, t):
    crank = (450 + 50 * math.cos(3 * t), 220 + 50 * math.sin(3 * t))
    head = crank[0] - math.sqrt(170 ** 2 - (crank[1] - 220) ** 2)
    canvas.line([(140, 175), (360, 175)], width=5)
    canvas.line([(140, 265), (360, 265)], width=5)
    canvas.line([(140, 175), (140, 265)], width=5)
    canvas.shape([(head - 60, 180), (head, 180), (head, 260), (head - 60, 260)], GREEN)
    canvas.disc(450, 220, 62, "#dde5ea")
    canvas.line([(head - 20, 220), crank], width=8)
    canvas.disc(*crank, 10, RED)


def ball(canvas, t):
    phase, bounce = (t % 1.6) / 1.6, int(t / 1.6) % 6
    height = 190 * 0.72 ** bounce
    y = 300 - height * 4 * phase * (1 - phase)
    canvas.line([(80, 322), (560, 322)], width=5)
    canvas.disc(120 + 44 * (t % 9.6), y, 22, RED)


def waves(canvas, t):
    points = [(x, 220 + 42 * math.sin(x / 46 - 2.4 * t) * math.exp(-abs(x - 320) / 420)) for x in range(20, 621, 6)]
    canvas.shape(points + [(620, 345), (20, 345)], "#9cc9e8", None)
    canvas.line(points, BLUE, 4)
    boat = 220 + 42 * math.sin(320 / 46 - 2.4 * t)
    canvas.shape([(280, boat - 14), (360, boat - 14), (344, boat + 6), (296, boat + 6)], "#8a5a2b")
    canvas.shape([(320, boat - 70), (320, boat - 18), (354, boat - 18)], "#ffffff")


def orbits(canvas, t):
    canvas.disc(270, 205, 26, ORANGE)
    anomaly = 1.1 * t
    for _ in range(6):
        anomaly -= (anomaly - 0.5 * math.sin(anomaly) - 1.1 * t) / (1 - 0.5 * math.cos(anomaly))
    points = [(270 - 85 + 170 * math.cos(a / 20), 205 + 120 * math.sin(a / 20)) for a in range(126)]
    canvas.line(points, "#b8c2c9", 2)
    canvas.disc(270 - 85 + 170 * math.cos(math.pi - anomaly), 205 + 120 * math.sin(anomaly), 13, BLUE)


def bars(canvas, t):
    canvas.line([(120, 90), (120, 310), (560, 310)], width=4)
    for i, (name, value) in enumerate((("heat", 68), ("motion", 25), ("sound", 7))):
        grown = value * 2.6 * min(1.0, t / 4)
        canvas.shape([(170 + 130 * i, 310 - grown), (240 + 130 * i, 310 - grown), (240 + 130 * i, 310), (170 + 130 * i, 310)],
                     [RED, GREEN, BLUE][i])
        canvas.text(205 + 130 * i, 330, name, 16)
        canvas.text(205 + 130 * i, 296 - grown, f"{value} %", 16)


def burette_drops(canvas, t):
    canvas.line([(180, 340), (460, 340)], width=6)
    canvas.shape([(306, 70), (334, 70), (334, 190), (306, 190)], "#ffffff")
    level = 80 + 4 * t
    canvas.shape([(307, level), (333, level), (333, 189), (307, 189)], "#9cc9e8", None)
    canvas.line([(320, 190), (320, 222)], width=5)
    canvas.disc(320, 226 + 46 * ((t * 1.3) % 1), 5, "#9cc9e8")
    color = "#f3c4d5" if t > 7 else "#eef4f7"
    canvas.shape([(304, 262), (336, 262), (336, 280), (388, 338), (252, 338), (304, 280)], color)


def cylinder_eye(canvas, t):
    canvas.shape([(180, 80), (260, 80), (260, 330), (180, 330)], "#ffffff")
    canvas.shape([(181, 190), (200, 203), (220, 207), (240, 203), (259, 190), (259, 329), (181, 329)], "#9cc9e8", None)
    for i in range(24):
        canvas.line([(182, 90 + 10 * i), (200 if i % 5 == 0 else 192, 90 + 10 * i)], width=1)
    y = 207 + 100 * math.cos(0.7 * t) if t < 4.5 else 207
    canvas.line([(220, 207), (470, y)], RED, 2)
    canvas.disc(480, y, 16, "#ffffff")
    canvas.disc(475, y, 7, INK)


def flame(canvas, t):
    flicker = 10 * math.sin(9 * t)
    canvas.shape([(270, 250), (370, 250), (400, 335), (240, 335)], "#c8d9f0")
    for size, color in ((1.0, "#f6b73c"), (0.66, "#f9dc8b"), (0.34, "#7aa7d9")):
        canvas.shape([(320 + flicker * size, 245 - 150 * size), (320 + 42 * size, 245 - 50 * size), (320 + 20 * size, 245),
                      (320 - 20 * size, 245), (320 - 42 * size, 245 - 50 * size)], color, None)


def filter_flow(canvas, t):
    canvas.shape([(250, 110), (390, 110), (326, 200), (326, 260), (314, 260), (314, 200)], "#ffffff")
    canvas.shape([(270, 120), (370, 120), (320, 196)], "#efe6d2")
    canvas.shape([(286, 140), (354, 140), (320, 192)], "#9cc9e8", None)
    canvas.disc(320, 262 + 40 * ((t * 1.1) % 1), 5, "#9cc9e8")
    top = 330 - min(40, 3 * t)
    canvas.line([(250, 260), (250, 335), (390, 335), (390, 260)], width=4)
    canvas.shape([(252, top), (388, top), (388, 333), (252, 333)], "#9cc9e8", None)
    canvas.line([(420, 60), (330, 170)], "#7f8c8d", 6)


MACHINES = [
    ("Machines that move", title_slide, "Welcome. This film shows seven simple machines and motions. Watch how every one of them moves."),
    ("The pendulum", pendulum, "A pendulum swings from side to side. The time of one swing depends on the length of the string, and not on the weight of the ball."),
    ("Two gears", gears, "Two gears turn against each other. The small gear has twelve teeth, the large one twenty four. So the small gear turns twice as fast."),
    ("Piston and crankshaft", piston, "In an engine, a piston slides to and fro in its cylinder. The connecting rod and the crankshaft turn this motion into rotation."),
    ("A bouncing ball", ball, "A rubber ball falls on the floor and bounces. Every bounce is lower than the one before, because some energy is lost as heat."),
    ("Waves on the water", waves, "A wave travels across the lake. The little boat goes up and down, but it does not travel with the wave."),
    ("A planet in its orbit", orbits, "A planet moves around the sun on an ellipse. It is fastest when it is nearest to the sun. This is the second law of Kepler."),
    ("Where the energy goes", bars, "At the end, where does the energy go? Sixty eight per cent becomes heat, twenty five per cent becomes motion, and the rest becomes sound."),
]
LABORATORY = [
    ("化学实验四步", title_slide, "同学们好。今天我们一起看四个基本的化学实验操作，请注意每一步的要点。"),
    ("量筒的读数", cylinder_eye, "第一步，量筒的读数。把量筒放平，视线要与凹液面的最低处保持水平。俯视时读数偏大，仰视时读数偏小。"),
    ("酒精灯的使用", flame, "第二步，使用酒精灯。外焰的温度最高，应当用外焰加热。熄灭时用灯帽盖灭，千万不能用嘴吹。"),
    ("过滤", filter_flow, "第三步，过滤。滤纸紧贴漏斗内壁，液面低于滤纸边缘，漏斗下端紧靠烧杯内壁。玻璃棒起引流的作用。"),
    ("酸碱滴定", burette_drops, "第四步，滴定。左手控制旋塞，右手摇动锥形瓶。溶液由无色变成粉红色，并且半分钟内不褪色，就到了终点。"),
    ("实验结束", title_slide, "实验结束以后，要洗净仪器，整理桌面，检查水电，最后洗手离开实验室。谢谢大家观看。"),
]
SILENT = [("", waves, 9), ("", gears, 9), ("", orbits, 9), ("", ball, 9)]


def speak(words, voice, speed, path):
    subprocess.run(["espeak-ng", "-v", voice, "-s", str(speed), "-w", str(path), words], check=True)
    with wave.open(str(path)) as sound:
        return sound.getnframes() / sound.getframerate()


def clock(seconds):
    return f"{int(seconds // 3600):02d}:{int(seconds // 60) % 60:02d}:{seconds % 60:06.3f}".replace(".", ",")


def frames(scenes, language, encoder):
    for title, draw, seconds in scenes:
        for number in range(round(seconds * RATE)):
            canvas = Canvas(language)
            draw(canvas, number / RATE)
            canvas.text(WIDTH / 2, 38, title, 30, BLUE)
            encoder.stdin.write(canvas.bytes())


def encode(scenes, language, extra, target):
    command = ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{WIDTH}x{HEIGHT}",
               "-r", str(RATE), "-i", "-", *extra, "-c:v", "libx264", "-preset", "veryslow", "-crf", "33", "-g", "100",
               "-pix_fmt", "yuv420p", "-map_metadata", "-1", "-fflags", "+bitexact", "-movflags", "+faststart", str(target)]
    encoder = subprocess.Popen(command, stdin=subprocess.PIPE)
    frames(scenes, language, encoder)
    encoder.stdin.close()
    if encoder.wait() != 0:
        raise SystemExit(f"ffmpeg could not write {target}")


def film(scenes, language, voice, speed, target, subtitles):
    """A spoken film; with subtitles as a text track if asked for. Prints when each scene begins."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        timed, spoken, texts, begin = [], [], [], 0.0
        for number, (title, draw, words) in enumerate(scenes):
            sound = folder / f"{number}.wav"
            length = speak(words, voice, speed, sound)
            shown = math.ceil((length + 1.3) * RATE) / RATE
            texts.append(f"{number + 1}\n{clock(begin + 0.5)} --> {clock(begin + 0.5 + length)}\n{words}\n")
            spoken.append((sound, begin + 0.5))
            timed.append((title, draw, shown))
            print(f"{target.name}: {begin:6.1f} s  {title}")
            begin += shown
        extra = [part for sound, _ in spoken for part in ("-i", str(sound))]
        mixed = "".join(f"[{i + 1}]adelay={round(1000 * start)}[s{i}];" for i, (_, start) in enumerate(spoken))
        mixed += "".join(f"[s{i}]" for i in range(len(spoken))) + f"amix=inputs={len(spoken)}:normalize=0[speech]"
        maps = ["-filter_complex", mixed, "-map", "0:v", "-map", "[speech]", "-c:a", "aac", "-b:a", "28k", "-ar", "16000", "-ac", "1"]
        if subtitles:
            (folder / "words.srt").write_text("\n".join(texts), encoding="utf-8")
            extra += ["-i", str(folder / "words.srt")]
            maps += ["-map", f"{len(spoken) + 1}:s", "-c:s", "mov_text", "-metadata:s:s:0", f"language={subtitles}"]
        encode(timed, language, extra + maps, target)


def query_picture(target):
    """Gears in other colours, turned and cut: what a search by picture is asked with."""
    canvas = Canvas("en", "#f1ede2")
    _gear(canvas, 236, 206, 100, 24, 0.3, GREEN)
    _gear(canvas, 394, 206, 50, 12, -0.6 + math.pi / 12, RED)
    target.parent.mkdir(exist_ok=True)
    small = canvas.image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
    small.crop((90, 70, 500, 340)).save(target, quality=70)


def main():
    samples = pathlib.Path(__file__).resolve().parent.parent
    film(MACHINES, "en", "en-us", 122, samples / "machines-en.mp4", None)
    film(LABORATORY, "zh", "cmn", 140, samples / "laboratory-zh.mp4", "chi")
    query_picture(samples / "queries" / "gears.jpg")
    encode(SILENT, "en", ["-an"], samples / "silent.mp4")


if __name__ == "__main__":
    main()
