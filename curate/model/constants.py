"""The defaults of options, and every number that more than one module uses, each with its source beside it: a paper, a
dataset card, a file of a released code base, or a measurement of ours.

A threshold that only one module knows stands at that module's top, where its meaning is.
"""

# --- reading ------------------------------------------------------------------------------------------------
JSONL_LINE_LIMIT = 64 << 20  # bytes; the largest published record with trees inside is under 10 MB
TFRECORD_LIMIT = 512 << 20  # bytes of one record: AndroidControl puts an episode's pictures into one, some 2 MB each
GROUPING_CACHE_BYTES = 32 << 20  # of the file in which rows of one episode wait for each other

# --- reducing raw events ------------------------------------------------------------------------------------
MULTI_CLICK_GAP_S = 0.5  # from the PREVIOUS press; Windows' and AgentNetTool's interval (theirs counts from the first)
MULTI_CLICK_DISTANCE_PX = 4.0  # AgentNetTool's merge distance, Windows' SM_CXDOUBLECLK
MULTI_CLICK_MAX = 3  # PyAutoGUI has no quadruple click
DRAG_DISTANCE_PX = 6.0  # press to release; AgentNetTool's drag rule
DRAG_PATH_PX = 12.0  # a path this long is a drag even if it returns (lasso)
DRAG_BENT = 1.5  # a way this many times as long as straight says more than its ends (a hand bends by less than 1.2)
SCROLL_MERGE_PX = 10.0  # a hand on the wheel jitters the pointer by less
SCROLL_MERGE_GAP_S = 4.0  # longer: the person looked at what came into view
TYPING_GAP_S = 1.5  # AgentNetTool fork's split of typed text
WAIT_IDLE_S = 6.0  # PC Tracker's wait
LONG_PRESS_S = 1.0  # AgentNetTool's long press
AUTO_REPEAT_GAP_S = 1.1  # Windows' longest delay before a held key repeats is 1 s
FAKE_RELEASE_S = 0.003  # X11 reports a repeat as release and press in the same moment
REORDER_S = 0.5  # listeners' threads write rows out of order by far less (OpenAdapt#32, #445)
CHORD_GAP_S = 0.75  # a modifier whose release is lost is believed for a key that follows within this
LOST_RELEASE_S = 60.0  # a modifier that is not released, repeated or pressed again for so long has lost its release
MODIFIER_JOIN_S = 1.5  # a modifier pressed longer before does not make its step begin earlier (as TYPING_GAP_S)
BUTTON_LOST_S = 120.0  # a button held longer has lost its release
BUTTONS_DOWN_MAX = 8  # more buttons down at once than hands hold: releases are missing
KEYS_DOWN_MAX = 256  # more keys than a keyboard has
LATE_RELEASE_S = 5.0  # how long a step waits for the releases of its keys
CONTROL_CHARACTER_S = 1.0  # so long after ctrl a capital without shift is its control character (pynput#202)
ALTGR_FAKE_CTRL_S = 0.05  # Windows sends a left ctrl together with AltGr
START_CHORD_S = 3.0  # the recorder's start shortcut may reach into the recording for so long
CONTROL_CHORD_S = 5.0  # modifiers held longer were not pressed for a shortcut of the recorder
INTERRUPT_S = 3.0  # a recorder that Ctrl-C stops has closed its files by then
OWN_WALK_S = 5.0  # a way to the recorder's window (alt+tab, a click on the task bar) takes less, pauses included
OWN_SHOWS_S = 1.5  # the recorder's window comes to the front this soon after what brought it, on a busy machine too
HOVER_REST_S = 0.25  # menus open after 0.2 to 0.4 s of rest
HOVER_REST_PX = 4.0  # a resting hand moves the pointer by less (as SM_CXDRAG)
HOVER_NEAR_PX = 120.0  # about half of the widest menu titles: so near, the pointer may already be on what opens
HOVER_APPROACH_S = 2.0  # the part of the pointer's way to a rest that counts as its approach
HOVER_AWAY_PX = 24.0  # nearer to the next action's point, a rest is its approach (TARGET_HALF_PX)
HOVER_QUIET_S = 0.5  # a change this soon after an action may be the action's own response
OPENED_MAX_SHARE = 0.5  # of the screen: a larger change is a page that loads, not a menu that opens
EDGE_PX = 2.0  # how far a pointer may report beyond the screen's edge (pynput #386) and still be on it
CODE_MAX_CHARS = 200_000  # of one step's code; the longest published step types a few thousand characters
ELEMENT_NAME_MAX_CHARS = 80  # of an element's name in generated words; panes carry whole documents as their name
ELEMENT_WINDOW_S = 1.0  # AgentNetTool reads the element 0-0.22 s before it writes the press (its recording, 21 presses)
ELEMENT_LATE_S = 0.05  # ... or just after it, when the two threads overtake each other
COORDINATE_DECIMALS = 4  # AgentNet's published precision

# --- keyframes ----------------------------------------------------------------------------------------------
KEYFRAME_MARGIN_S = 0.15  # last moment before an action that may be shown: a hand is on its way by then
EXACT_MARGIN_S = 0.004  # the same where each frame's time is known: X11's times are whole milliseconds
TARGET_HALF_PX = 24.0  # half side of the square around a point whose element is unknown
PIXEL_DIFFERS = 8  # grey levels; H.264 settles to within this after a change (measured: 0.9991 against 0.93 exact)
POINTER_FAR_SHARE = 0.05  # of the screen's width: far enough that the pointer says nothing about the target
ELEMENT_BEFORE_S, ELEMENT_AFTER_S = 0.5, 0.1  # AgentNetTool looks elements up 1-210 ms before it writes the press
ELEMENT_MAX_SHARE = 0.05  # of the picture: a larger box is a container, or in another scale than the screen
LOOK_SELDOM_S = 0.2  # and this often while nobody acts for seconds
LOOK_EVERY_S = 0.1  # frames are looked at this often; the peer's extractor and PC Tracker sample as often
TILE_PX = 16  # side of the squares in which frames are compared: an H.264 macroblock, a line of text
TILE_FILLED_PIXELS = 64  # of a tile's 256, by more than PIXEL_DIFFERS: a highlight; unsettled text reaches 30
PIXEL_DIFFERS_CLEARLY, TILE_EDGE_PIXELS = 24, 4  # or so many by so much: a caret, a tick; unsettled text reaches 2
FAINT_LEVELS, FAINT_EVEN_LEVELS = 3, 1  # more, evenly over half a tile: a faint fill (#f3f6ff on white: 8), no codec
POINTER_NEAR = 0.03  # hypot(dx / W, dy / H): the pointer looks like it is on the target
POINTER_REACH_PX = (14.0, 40.0)  # how far a usual pointer reaches from its hot spot: up and left, down and right
IDLE_AFTER_S = 1.0  # a program's answer to an act mostly begins within this
IDLE_CHANGES, IDLE_APART_S, IDLE_SPAN_S = 3, 0.2, 1.0  # so many, so far apart, over so long: no answer, a clock
IDLE_PAUSE_S = 5.0  # clocks and carets change more often than that
FILM_AFTER_S, FILM_APART_S = 0.3, 0.08  # an answer has mostly come by then; films change ten times a second and more
FILM_CHANGES, FILM_SPAN_S = 5, 0.8  # no answer goes on so long: pages slide for 0.3 to 0.5 s
FILM_PAUSE_S = 0.6  # a longer rest ends a film; frames are looked at every 0.2 s at least
FILM_AGAIN_CHANGES = 2  # where a film played before another screen lay on it
FILM_AGAIN_SHARE, FILM_MOVES_SHARE = 0.5, 0.15  # another screen covers it; so much of it moves from look to look
FILM_ABOUT_TILES, FILM_ABOUT_SHARE = 2, 0.1  # about it: the same as before, but for a button that lights up
FILM_OWN_CHANGES, FILM_BOX_SHARE = 2, 0.5  # a tile of a film moves itself; of its rectangle so much is known
IDLE_NEW_SCREEN_SHARE = 0.25  # of the tiles at once: what was known about regions is about another screen
HOVER_MAX_SHARE = 0.06  # of the picture: a highlighted row across it; menus and dialogues are mostly larger
HOVER_MAX_PX = 64_000  # or so much of the screen where that is more: on small screens rows are as high as on others
HOVER_DELAY_S = 0.35  # from the pointer's crossing to the highlight's end: 0.3 s is a usual CSS transition
TINT_STEP_SHARE = 0.4  # text on a ground of another tint keeps its contrast to within this
LIT_LOOK_S = 3.0  # how long before the act the target may have lit up: a hand rests on it for a second or two
LIT_BURST_S = 0.25  # pictures of one transition follow each other within this
LIT_LAG_S = 0.1  # a program draws a highlight this long after the pointer came
PASSED_WIDGETS, SAME_INK = 3, 0.8  # what is excused as passed over: so many widgets, with much the same drawn on them
OPENED_INK, OPENED_MIN_PX = 0.6, 8_000  # less alike in what is larger than a button (200 x 40): something opened there
LIT_GROUND_SHARE = 0.3  # ... of whose tiles so many are on another ground; a changed text leaves its ground as it is
TIP_REACH_PX = 48.0  # how far from the pointer a tooltip begins
TIP_REST_S = 0.25  # the pointer rests this long before one shows (usual: 0.4 to 1 s)
TIP_MAX_PX = 12_000  # 300 x 40: two lines of text; menus are larger
SCROLL_BAR_PX = 20.0  # how thick a scroll bar is at most (Windows: 17, macOS: 15 at 100 %)
RESTING_MAX_SHARE = 0.01  # of the picture: a line of text
RESTLESS_BACK_S = 8.0  # what changes by itself is told from its changes in so long, less than HISTORY_S
RESTLESS_ALONE_S = 1.0  # the pointer was elsewhere for so long
RESTLESS_MAX_TILES = 30  # a large clock or spinner (120 x 64); films are larger and told otherwise
TICK_CHANGES, TICK_APART_S, TICK_EVEN_S = 4, 0.25, 0.15  # a clock's changes: so many, so far apart, so even
TICK_LONGEST_S = 1.5  # between them: the seconds of a clock; nobody waits for its minutes
TURN_CHANGES, TURN_PAUSE_S, TURN_SINCE_ACT = 4, 0.2, 2  # a spinner's: so many without a pause, so many since an act
BLINK_CHANGES = 3  # there, gone, there, gone: a caret, where it is
BAR_WIDE_PX, BAR_MIN_PX = 4, 8  # a caret is 1 to 3 pixels wide, and as high as a line
LATE_REDRAW_SHARE = 0.1  # of the picture at once, just before an act: nobody acted on what it shows
LATE_REDRAW_HABIT = 10  # changes while nobody acts: a film plays there, and nobody waits for it
CARET_TILES = 2  # a caret on the border of two tiles
BLIND_LOOK_S = 1.0  # how long after an act the previous one's answer may still come
PATCH_RING_TILES = 2  # surroundings that must be the same for a patch to be taken from an earlier frame
STOP_WALK_PAUSE_S = 0.5  # a hand that rests this long begins another movement
STOP_WALK_END_S = 1.0  # a walk that ended this long before the end was not to the recorder's button
HISTORY_S = 10.0  # frames from this long before the last step are kept, to rebuild patches from
WINDOW_BYTES = 256 << 20  # of frames since the last action; a real desktop needs 2 MB a second
POINTER_MAX_PX = 56.0  # a pointer's size on the screen at most (Windows' and GNOME's "large"; usual: 32)

# --- the video's clock --------------------------------------------------------------------------------------
CLOCK_SEARCH_S = 3.0  # around the declared start; AgentNetTool's is 0.3 s too early, OBS's event 0.2 s too late
CLOCK_DECODED_SHARE = 0.06  # of the frames, to find the pointer in: the cost of a clock
CLOCK_MIN_FRAMES = (60, 120, 240)  # but two seconds, and up to eight where less is not clear: short videos
CLOCK_FAST_PX_S = 240.0  # 8 px a frame: slower, and an offset of one frame cannot be told
CLOCK_MIN_SIGHTINGS = 8  # fewer moves or answers say nothing
CLOCK_RESIDUAL_PX = 10.0  # a sighting agrees: a pointer's outline against any ground shifts its centre by less
CLOCK_RESIDUAL_CAP_PX = 40.0  # a sighting of something else counts no more than this
CLOCK_MIN_CONFIDENCE = 0.4  # less is not believed; right ones have 0.6 and more (benchmarks/keyframes.py)
CLOCK_ANSWER_S = 0.25  # within which a screen answers a click or key

# --- pictures -----------------------------------------------------------------------------------------------
UNCHANGED_MSE = 0.001 * 255**2  # 65.025, DigiRL's "nothing happened" (mean squared difference, RGB)
BLANK_SHARE = 2_300_000 / 2_462_400  # of near-white pixels, strictly more is blank; DigiRL at 1080x2280
NEAR_WHITE = 240  # every channel above this is near-white; DigiRL's released code
MAX_PICTURE_PIXELS = 1 << 27  # 134 million, eight 4K screens; a file that states more is not decoded
PICTURE_CACHE_BYTES = 32 << 20  # of decoded pictures kept for comparing neighbours: five 1080p screens
SMALL_CACHE_BYTES = 16 << 20  # of small copies kept for the same: a hundred and seventy 1080p screens
PICTURE_FACTS_KEPT = 16384  # pictures whose facts a reader remembers by content, 1.2 kB each; the rest are on disk
FOLDERS_DEEP = 100  # below an input; no published set has a tenth of it
WHOLE_FILE_BYTES = 32 << 20  # a file to store that is no larger is read in one piece; a 4K PNG of noise has 25 MB
MAX_MEMBER_BYTES = 256 << 20  # of one file out of a zip archive, in memory; ten times the largest picture
MAX_DIRECTORY_BYTES = 1 << 30  # of a zip archive's directory: ten million files
JPEG_KEPT_QUALITY = 95  # of a JPEG made smaller, where none is asked for: text stays sharp
EXPORT_PICTURES = 32  # pictures that one piece of export work makes: a second or two
DIGIRL_GAMMA = 0.95  # the discount of `mc_return`: add_mc_return of DigiRL's released code
DIGIRL_PLAN = 4  # acts that its action plan names at most: Auto-UI's future actions
EXPORT_HELD_BYTES = 1 << 23  # of rows without a picture at an export's beginning: so many are in memory, more in a file
EXPORT_RECORDS = 64  # records exported at once, when their pictures are made: so many are in memory
AT_HAND_BYTES = 16 << 20  # of stored files kept in memory until they were looked at: some seventy screens
SMALL_SCALE = 8  # a picture's small copy has cells of 8 x 8 pixels, which a JPEG holds as they are (their DC terms)
SMALL_FROM = (640, 360)  # of this width and height on: smaller ones are their own small copy
SMALL_ROUNDING = 2  # grey levels by which two cells' rounded means may be further apart than the means are

# --- validation ---------------------------------------------------------------------------------------------
MIN_STEPS_DESKTOP = 5  # OpenCUA rejects shorter desktop recordings
LOOP_REPEATS = 3  # the same action, or set of actions, this often in a row (DigiData's runbook)
LOOP_MAX_PERIOD = 5  # actions in a set that repeats; longer rounds are work on one row of a table after another
MAX_STEPS = 25  # DigiData's limit for a run
INSTRUCTION_WORDS = (3, 200)  # a task of one or two words names no goal; longer is a pasted document

# --- near-copies --------------------------------------------------------------------------------------------
NEARCOPY_THRESHOLD = 0.5  # Jaccard, inclusive: a copy if 3*shared >= a + b; a placeholder until pairs are labelled
SHINGLE_N = 2  # bigrams of actions
MINHASH_RECALL = 0.999  # of the copies that are to be found: 42 bands of 3 rows find .9986 of the pairs
MINHASH_PERMUTATIONS = 128
THUMBNAIL = (32, 18)  # cells of a screen's thumbnail, width and height: 60 pixels of a 1080p screen each
DHASH_BITS = 10  # of 64; more apart are different screens (imagehash's usual distance for "the same picture")
COMPILED_FROM = (
    100_000  # runs from which near-copies use the compiled helper: fewer take numpy a second at most (measured)
)
NO_NUMBA = "CURATE_NO_NUMBA"  # environment variable: anything but empty leaves the compiled helper (extra [fast]) out
SHORT_SHINGLES = 4  # fewer: equality and the same task are asked for
KEY_BYTES = 16  # of SHA-256: two of 10^12 texts share it with a chance of 10^-15
COPY_WORDINGS = 16  # that a run takes over from its copies: a template of thousands of runs says no more in hundreds
CERTIFICATE_RUNS = 5_000  # kept runs for each part that is checked at a time: some 30 MB of arrays
COPY_LIST = 20  # runs that a certificate names, if it finds any left over
COPY_PARTNERS = 8  # similar runs that are listed beside a run; the rest is counted
LABEL_FLOOR = 0.2  # least similarity of pairs that a person is asked about: recall is among these
LABEL_RUNS = 50_000  # runs that pairs for labelling are looked for among, chosen by the seed where there are more
LABEL_PAIRS = 120  # pairs asked about unless told otherwise: an hour of a person's time
LABEL_SIMILARITIES = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)  # where bands begin, and the thresholds told of
LABEL_SIZES = (1, 4, 10, 20)  # shingles of the shorter run at which bands of length begin
TOKEN_CACHE = 1 << 16  # names looked up instead of made again: more than one shard has, a few MB
POINT_GRID = 20  # cells a side, for actions whose element is unknown
OFF_SCREEN_CELL_PX = 64  # the same for points off the picture, in recorded pixels: a cell of a 1280 pixel screen

# --- leaks --------------------------------------------------------------------------------------------------
LEAK_PHRASE_WORDS = 3  # the lesson's leak phrase
LEAK_COVERAGE = 0.8  # of a test task's phrases: that much of it is the task itself, whatever is added
LEAK_COVERAGE_PHRASES = 2  # a test task with fewer phrases says too little for its coverage to count
LEAK_STOP_SHARE = 0.01  # of the test tasks; a phrase in more of them (and in more than 2) names the benchmark's app
LEAK_HITS = 5  # test tasks named for a run and kind of evidence; the number of all is kept beside them
LEAK_CANARY_CHARACTERS = 16  # a canary with fewer would be found by chance; a GUID has 36
LEAK_ID_CHARACTERS = 8  # of an id that says by itself what it is of; shorter ones ("17") need the benchmark's name
LEAK_SLOT_WORDS = 3  # content words of a template beside its parameters; `What is the {x} of {y}?` is anybody's
LEAK_FILE_CHARACTERS = 12  # of a file's name without its folder; shorter ones ("task.html") are anybody's
LEAK_PATH_TOKENS = 4  # actions of a solution that are compared; fewer are alike by chance
LEAK_RARE_SHARE = 0.001  # of the distinct tasks of the data; a phrase in more of them (and in more than 10) is how
LEAK_RARE_TASKS = 10  # the data asks, not what the test asks
LEAK_OWN_SHARE = 0.5  # of our own test run's phrases: less is how one dataset asks, and would list a third of it
LEAK_PARAPHRASE = 0.75  # cosine: finds 81 % of 116 people's rewordings of OSWorld's tasks, 1 false in 1,583 (leaks.md)
LEAK_VOCABULARY = (
    1 << 18
)  # tokens of instructions whose normal form is remembered: 60 MB; people's tasks have some 10,000
STOP_WORDS = frozenset(
    "a an and are as at be been by can could d did do does for from go has have he her here his how i if in into is it"
    " its just kindly let ll m me my navigate need now of off on onto or our out over please s she should so some t"
    " that the their them then there these they this those to up us using via visit want was we were what when where"
    " which while who will with would you your im id ive youre dont lets whats".split()
)  # words that any two tasks may share ("go to the ..."), so that three of them in a row are no leak
JOINED_PREFIXES = ("e", "wi", "pre", "co", "non", "un")  # no words alone: `e-mail` is written `email`, never `e mail`
APP_ALIASES: dict[str, str] = {
    "google chrome": "chrome", "chrome browser": "chrome", "chromium-browser": "chromium", "microsoft edge": "edge",
    "msedge": "edge", "mozilla firefox": "firefox", "visual studio code": "vscode", "vs code": "vscode",
    "code": "vscode", "vs_code": "vscode", "microsoft word": "word", "winword": "word", "microsoft excel": "excel",
    "microsoft powerpoint": "powerpoint", "powerpnt": "powerpoint", "libreoffice-calc": "libreoffice calc",
    "libreoffice-writer": "libreoffice writer", "libreoffice-impress": "libreoffice impress",
    "vlc media player": "vlc", "file explorer": "explorer", "windows explorer": "explorer",
    "com.android.settings": "settings", "com.android.chrome": "chrome", "gnu image manipulation program": "gimp",
}  # fmt: skip  # spellings seen in AgentNet's, OSWorld's and AndroidWorld's records
APP_HOSTS = frozenset(
    "applicationframehost shellexperiencehost startmenuexperiencehost searchhost searchui searchapp textinputhost"
    " lockapp dwm runtimebroker".split()
)  # Windows processes that hold other programs' windows: they say nothing about which app it was
SITE_ALIASES: dict[str, str] = {"youtu.be": "youtube.com", "x.com": "twitter.com", "fb.com": "facebook.com"}

# --- splits, weights, unrolling -----------------------------------------------------------------------------
TEST_SHARE = 0.1
MAX_ASPECT_RATIO = 200  # of a picture's sides: qwen_vl_utils and UI-TARS' action parser refuse more
QWEN2_FACTOR, QWEN2_MIN_PIXELS, QWEN2_MAX_PIXELS = 28, 4 * 28 * 28, 16384 * 28 * 28  # qwen_vl_utils
UITARS_MIN_PIXELS = 100 * 28 * 28  # UI-TARS' action parser; its factor and upper limit are Qwen2-VL's
PROMPT_FILE_BYTES = 4 << 20  # of a released model's prompt file; OpenCUA's, the largest known, has 40 kB
PHONE_SCROLL_EDGES = (0.0, 1.0)  # where AndroidWorld's finger ends for one page: scroll down at the top, up below
SAID_LONG_PRESS_S, UNKNOWN_WAIT_S = 2, 2  # where a record tells no time: Qwen's own conversion of AitW writes these
GUI360_WINDOW, GUI360_COPY = (1040, 736), (1036, 728)  # pixels of its pictures, and of those it hands on resized
UITARS_SCROLL_NOTCHES = 5  # what UI-TARS' own parser makes of a scroll, which says a side and no amount
UITARS_WAIT_SECONDS = 5.0  # of a wait, by its prompt
GRID = 1000  # Qwen3-VL's and UI-TARS v1's coordinates; OSWorld's agent divides by 999, which is less than half a step
QWEN_NOTCH = 1.0  # what `pixels` counts for a notch: OSWorld's agents hand them to pyautogui.scroll as they are
PIXELS_A_NOTCH = 100  # of a page that scrolls: what Chromium makes of a notch
REPEATED_CALLS = 32  # of one step, in a language that presses a key again by another call: more is no answer to learn
UITARS_KEYS = 3  # of one hotkey: UI-TARS' prompt asks for no more
HISTORY_STEPS = 3  # DigiData, AitW and AndroidControl prompts carry the last three steps
SEED = 0

# --- units --------------------------------------------------------------------------------------------------
NS_PER_S, NS_PER_MS = 1_000_000_000, 1_000_000

# --- recordings ---------------------------------------------------------------------------------------------
MAX_ROW_BYTES = 1 << 20  # of one raw event; the longest real ones (window titles, redactions) are a few kB
MAX_TREE_BYTES = 16 << 20  # of one row of a11y.jsonl: 3,000 nodes with three full texts; LibreOffice's: half a MB
MIND2WEB_TASK_LIMIT = 256 << 20  # bytes of one task: a dozen pages twice, each with all its elements
OS_GENESIS_SCREEN = (1080, 2400)  # pixels of the phone that its points speak of (its own evaluation, ac_eval.py)
EXPLORER_MAX_STEPS = 10  # attempts of Explorer's tool in one run: the default of its `max_steps`
RECOVERY_DECODES_S = 60.0  # of a cut video's end; what Linux had not yet written to the disk is younger (30 s)
RECORDING_FPS = 25  # most pictures a second where nothing else is said: a change is seen 40 ms after the last

# --- redaction ----------------------------------------------------------------------------------------------
SHORTEST_SECRET = 3  # letters and digits; one of two is in every third sentence, and all would be black
MAX_SECRETS = 1000  # one expression is compiled of them; people list a handful
REDACTION_SETTLE_S = 1.0  # after the last key, in which the screen may still draw it if nothing else is done
REDACTION_DRAW_S = 0.15  # the same where something else is done: a program's answer to a key (measured: 20 to 90 ms)
REDACTION_TITLE_S = 0.6  # after a title came, in which its window, a tab and a task bar draw it (measured: under 0.1)
REDACTION_TITLE_HEIGHT = 48  # pixels of a title bar with tabs at most; a sixteenth of the picture where that is more
REDACTION_PIXEL = 8  # grey levels: more is a change, as for keyframes
REDACTION_INK = 24  # grey levels between letters and what is behind them; a disabled field's text has 60
REDACTION_MATCH = 0.70  # correlation from which a place shows the same text (tests/reduce/redaction/test_drawn.py)
REDACTION_PART_MATCH = 0.80  # the same for half of a secret, of which more is alike by chance
REDACTION_HALF_HEIGHT_MATCH = 0.88  # the same for the upper or lower half of its letters, which tell less
REDACTION_SCAN_MATCH = 0.85  # in what was written an error; above MATCH, so that the edges of black are none
REDACTION_FRAGMENT_MATCH = 0.80  # correlation of edges from which half of a secret still shows: an error
REDACTION_RESEMBLES = 0.10  # below those, from which a place that changed once stays black all the same
REDACTION_STAYS = 0.50  # correlation of a piece of a region with what was typed from which it may still show it
REDACTION_TILE = 24  # pixels of such a piece: two or three letters
REDACTION_TEMPLATES = 128  # looks searched in every picture, ten of a secret typed once; more are said in the notes

# --- runs ---------------------------------------------------------------------------------------------------
SHARD_BYTES = 31 << 19  # of JSONL read as one piece of work: a second or two, so little is lost by a kill; two batches,
# less what rewriting may add: a third one of a few records would cost some hundredths more
BATCH_BYTES, BATCH_RECORDS = 8 << 20, 2048  # of JSON held at once by a worker, and a part of trajectories/
HANDFUL_RECORDS, HANDFUL_STEPS = 24, 512  # records rewritten at a time: small enough that caches hold them
EXAMPLE_BYTES = 32 << 20  # of the records' JSON that one file of examples is made from
ERRORS_JUDGED_FROM = 100  # records read before --max-errors P% may stop a run: of three records one is 33 %

# --- object stores ------------------------------------------------------------------------------------------
REMOTE_HEAD_BYTES = 256 << 10  # of an object, by which sources tell whose it is: the longest first lines are shorter
REMOTE_THREADS = 16  # transfers at a time: an object store answers each in tens of milliseconds
REMOTE_TIMEOUT_S = 20  # until a server that does not answer is given up

# --- clusters -----------------------------------------------------------------------------------------------
RAY_TASK_RETRIES = 3  # of a job whose worker died: a node that is taken away is common, a job that kills four is not
RAY_ANSWER_S = 10.0  # until a cluster that does not answer is given up
RAY_LOCAL_STORE_BYTES = 256 << 20  # of a Ray of this machine: jobs hand over file names, not tables
PARTITION_CANDIDATES = 1 << 18  # pairs a join looks at at once: some 25 MB of arrays
FREQUENCY_BUCKETS = 1 << 24  # counters of shingles by hash, 64 MB: rare ones stay rare up to some 10^8 runs
PARTITION_SHARD_RUNS = 100_000  # runs a map job takes: 20 MB of sets
PARTITION_RUNS = 50_000  # runs for each partition that is joined: some 350,000 rows of 190 bytes
PARTITIONED_FROM = 20_000_000  # runs from which a cluster works out near-copies: fewer take one processor a minute

# --- report -------------------------------------------------------------------------------------------------
CLICK_COLUMNS, CLICK_ROWS = 32, 18  # cells of the click map: squares on a 16:9 screen, about a button wide
CLICK_BINS = 50  # bars of the histogram over the width: 2 % each
CLICK_FINE_BINS = 1000  # percentiles of clicks are read from these; a multiple of CLICK_BINS
REPORT_BATCH = 4096  # records whose steps are counted at a time: 60 MB with what counting takes beside their columns
REPORT_SAMPLES = 4  # pictures of each kind that the report shows
CHAIN_STEPS = (1, 5, 10, 15, 20, 30, 50)  # lengths for which the weakest-link table says S = p^n
REPORT_ROWS = 50  # rows of a long table that the page shows before it names the file with all of them
REPORT_LEAK_RUNS = 3  # runs that the page names beside the test task that they give away; the others are counted
REPORT_ROWS_A_REASON = 8  # of rejected runs or steps, so that the rare reasons are seen too
REPORT_LIST = 1000  # groups of near-copies, and leaks, that report.json lists; all of them are in stages/
REPORT_GROUP = 20  # near-copies of one run that report.json lists
REPORT_PICTURE_WIDTH = 640  # pixels of a sample picture: the pointer of a 1080p screen is still 6 px
REPORT_PICTURE_BYTES = 2_000_000  # of pictures inside the page: it opens at once and goes through e-mail
REPORT_TEXT = 300  # characters of a recorded text that the page shows before it says how many more there are
REPORT_LOSS = 0.5  # a report asks about a run that loses more than this share of what was read
REPORT_ABOVE_FLOOR = 0.02  # a pointer or hover share this far above its floor is said; the publish gate's margin
REPORT_PILE_CLICKS, REPORT_PILE_EDGE = 30, 0.6  # so many clicks, 99 % of them within this share: another scale?
REPORT_PAIRS, REPORT_PAIR_STEPS = 12, 24  # near-copies shown beside their witness, and steps of each

# --- the detector (all but the Wilson bounds: tests/sources/detector, where planted faults are found and good data is
# not accused) -----------------------------------------------------------------------------------------------
DETECTOR_RECORDS = 400  # of an input that are looked at; votes of more say the same with more digits
DETECTOR_POINTS = 5_000
DETECTOR_PICTURES = 240  # decoded: some 15 ms each, 130 KB of small copy
DETECTOR_PICTURE = 480  # pixels along the longer side of a small copy: a button is still ten wide
DETECTOR_PICTURE_MAX = 24_000_000  # pixels beyond which none is decoded: whole web pages have a hundred million
DETECTOR_PATCH = 0.02  # of the longer side around a point: what is clicked on is some 40 px of 1920
DETECTOR_FLAT = 4.0  # standard deviation of grey levels below which nothing is drawn there: JPEG noise has 2
DETECTOR_PIXEL_DIFFERS = 16  # grey levels; twice the reducer's 8, for JPEG pictures that were encoded one by one
DETECTOR_CHANGED_SHARE = 0.05  # of a patch, from which a place changed: of 63 clicks recorded 27 then tell, all right
DETECTOR_MOVED_LIKE = 0.85  # correlation from which content is found again after a scroll
DETECTOR_MOVED_GAIN = 0.10  # by which it must be better there than where it was
DETECTOR_MOVED_LEAST = 3  # pixels of a small copy: less is a shake of the encoder
EXPLAINED_SINGLY = 20  # inputs of one source that are explained one by one; of more no person reads the list
EXPLAINED_TOGETHER = 200  # of more inputs, so many are looked at as one: with DETECTOR_RECORDS two records of each
DETECTOR_DECIDES_FROM = 0.5  # lower Wilson bound from which votes decide what nobody declares: four of four do
DETECTOR_ACCUSES_FROM = 0.6  # the same from which they are believed over what is declared, of DETECTOR_ACCUSES_LEAST
DETECTOR_ACCUSES_LEAST = 8  # votes: eight of eight, ten of eleven
DETECTOR_EXAMPLES = 3  # steps that a verdict names
FRAME_DECIDES = 0.95  # share of the likelihood from which a frame is decided
FRAME_ACCUSES = 7.0  # log odds from which it is believed over what is declared (1,100 to 1), of FRAME_LEAST points
FRAME_LEAST = 5
FRAME_OUTSIDE = 0.01  # share of points that lie outside their own frame in sound data (GUI-360 has 4.7 %)
FRAME_IN_BOX = 0.9  # share of points that lie in their target's box in their own frame, and 1 minus it in another
FRAME_ON_SOMETHING = (0.9, 0.6)  # share of points with something drawn around them: of real targets, of any place
FRAME_TEMPER = 0.25  # of the log density: clicks are neither independent nor spread evenly
FRAME_FILLS = 0.85  # of a frame that a cloud must reach before its being smaller counts for it
FRAME_CAPS = (25.0, 25.0, 6.0, 12.0)  # log odds that frames, boxes, pictures and density may bring at most; of pictures
FRAME_CAP_A_PICTURE = 0.15  # this for each, where that is more, up to FRAME_CAP_PICTURES: 47 of them can accuse alone
FRAME_CAP_PICTURES = 15.0
FRAME_PILE = 0.01  # share of values from which a second pile is no slip

# --- curate check (engine/check; what it costs and shows) -----------------------------------------------------
CHECK_ROWS = 20  # places of a finding that page and JSON show; the file of its rows has all
CHECK_TEXT = 300  # characters of what is seen at a place
CHECK_PICTURES = 20_000  # decoded at most, 20 ms each: seven minutes; a share of them is known to 1 %
CHECK_BATCH = 128  # records that are measured at a time
CHECK_MEDIA_BYTES = 2 << 30  # of pictures that lie in the temporary folder at a time
CHECK_TREE_CHARACTERS = 2_000_000  # of a step's tree that are searched for personal data
CHECK_BATCH_STEPS = 4_096  # and of no more steps, where records are long

# --- finding pointers in stills (stages/measures/pointer_finder; tuned in benchmarks/pointer_finder.py) --------
POINTER_WINDOW = 26  # pixels a side that a template may fill
POINTER_SIZES = (10.5, 11.8, 13.2, 14.8, 16.6, 18.6, 20.8)  # heights of an octave, an eighth apart
POINTER_OCTAVES = 3  # 10.5 to 83 pixels: small stills of a screen, and pointers of twice the size at scale 2
POINTER_RADIUS_PX = 5  # from the place to the hot spot, at the smallest octave: a hand's way in a tenth of a second
POINTER_ALIKE, POINTER_ALIKE_SMALL = 0.76, 0.83  # weighted correlation with the shape; more of one below this height,
POINTER_SMALL_PX = 12.5  # which 9 in 10 false alarms are
POINTER_CONTRAST = 60.0  # grey levels between a pointer's two tones; a reduced edge is no longer black
POINTER_TONES = (90.0, 170.0)  # a dark one is at most, a light one at least this grey inside
POINTER_CHROMA = 40.0  # between the channels of the inner tone, mean; pointers have no colour
POINTER_SECTOR = 0.3  # of the mean contrast, in every part of the edge
POINTER_INSIDE = 0.6  # of the contrast at most, that a part of the inner tone may be off
STILL_AWAY_PX = 96.0  # between places of a picture that are looked at: what is searched is 20 px, a large pointer 64
STILL_OTHER_TARGETS = 1  # of other steps that are looked at in a picture, for the floor; and one place at random
STILL_FLOOR_LEAST = 30  # places of one kind from which that kind is a floor of its own
LIT_AROUND_PX, LIT_WIDGET_PX, LIT_PATCH_PX = 96, 40, 9  # half a side: surroundings, what may light up, what is compared
LIT_SAME_AROUND = 0.7  # of the surroundings must be the same; a row that lights up runs through them
LIT_LEVELS = 4  # of a tint, as little as a row lights up by (docs/keyframes.md)
LIT_LEVELS_OFF = 6  # of 255: what JPEG and video leave unsteady
LIT_EVEN = 0.6  # of what is compared has the same tint; text on it is smoothed into its ground
POINTER_INNER = 0.65  # weight of the inner tone; the edge, which tells a pointer from a white page, has the rest

# --- publishing ---------------------------------------------------------------------------------------------
PUBLISH_UNKNOWN_OUTCOMES = 0.5  # of the runs: more, and the data says less of success than it keeps silent about
PUBLISH_POINTER_POINTS = 2.0  # of 100 above the floor: what the interval of some 2,000 steps is wide
PUBLISH_GROUP_ROWS = 100  # rows a row group with pictures, as the Hub's own conversion writes (dataset-viewer)
PUBLISH_GROUP_BYTES = 50_000_000  # of a row group; `datasets` writes 100 MB, of which three copies are in memory
PUBLISH_TEXT_GROUP_ROWS = 1000  # rows a row group without pictures: some 20 MB of records of 20 steps
PUBLISH_TRACES = 50_000  # files of traces; the Hub advises against repositories of more than 100,000 files
PUBLISH_TRACES_FOLDER = 1000  # of them in a folder, in which the Hub takes 10,000
PUBLISH_SHARD_BYTES = 500_000_000  # of a file of a table, as `datasets` cuts them
PUBLISH_SMALL_BYTES = 10_000_000  # of a file that the Hub keeps as text in a commit; larger ones are objects (git LFS)
PUBLISH_OCR_PICTURES = 200  # read by OCR unless more are asked for: each takes some seconds of a core
PUBLISH_ROWS_SHOWN = 5  # rows of a finding of the gate that the terminal names
PUBLISH_FRAME_SURE = 99  # percent that the data must be sure of a frame, order, sign or moment that nobody states
HUB_TRIES = 6  # of a request that may pass: 31 s of waiting in all
HUB_MOST_WAIT_S = 120.0  # that the Hub may ask for before the next try
HUB_SILENT_S = 180.0  # without a byte from the Hub, after which a request has failed: a large commit takes a minute

# --- audits --------------------------------------------------------------------------------------------------
AUDIT_LABELS_WANTED = 100  # seed document 001, checklist 8: at least so many hand checks, of every kind of task
AUDIT_SAMPLE = 200  # items that are drawn unless somebody says otherwise: shares to within 7 points
