# The decision function of the demo as a map, its boundary and margins as lines, the training points on
# top. Called by scripts/demo.py with `folder` set; reads folder/*.dat, writes folder/moons.png.
set terminal pngcairo size 1200,860 font "DejaVu Sans,15" background "white"
set output folder."/moons.png"

# Lines of equal value, computed first and drawn as plain lines.
set contour base
unset surface
set cntrparam levels discrete 0
set table folder."/boundary.dat"
splot folder."/grid.dat" using 1:2:3
unset table
set cntrparam levels discrete -1, 1
set table folder."/margins.dat"
splot folder."/grid.dat" using 1:2:3
unset table
unset contour
set surface

set palette defined (-2 "#8fb8de", -1 "#c9dcef", -0.02 "#f4f8fc", 0.02 "#fdf6f0", 1 "#f7d9c0", 2 "#eeb38a")
set cbrange [-2:2]
set cbtics 1 nomirror scale 0
set cblabel "decision value h(x)" offset 1.2,0
set colorbox user origin 0.895,0.23 size 0.018,0.6
set key at screen 0.5,0.03 center bottom maxrows 1 reverse Left samplen 1.5 width -3 font ",13"
set lmargin at screen 0.05
set rmargin at screen 0.88
set tmargin at screen 0.93
set bmargin at screen 0.13
stats folder."/support.dat" using 1 name "support" nooutput
set title sprintf("Double moons with 10 %% wrong labels: l0 hinge loss, %d support vectors", \
                  support_records) font ",18" offset 0,-0.3
set xrange [-1.6:2.6]
set yrange [-1.15:1.65]
set xtics 1 nomirror scale 0.4 textcolor "#555555"
set ytics 1 nomirror scale 0.4 textcolor "#555555"
set border 3 linecolor "#999999"

# A cross lies under its point, so that the point still shows the class it was given.
plot folder."/grid.dat" using 1:2:3 with image notitle, \
     folder."/margins.dat" using 1:2 with lines lw 1.5 dt 2 lc "#444444" title "h = ±1", \
     folder."/boundary.dat" using 1:2 with lines lw 3.5 lc "#222222" title "h = 0", \
     folder."/flipped.dat" using 1:2 with points pt 2 ps 1.7 lw 1.8 lc "#b3123b" title "wrong label", \
     folder."/minus.dat" using 1:2 with points pt 7 ps 0.9 lc "#1f5fa8" title "class -1", \
     folder."/plus.dat" using 1:2 with points pt 7 ps 0.9 lc "#d2691e" title "class +1", \
     folder."/support.dat" using 1:2 with points pt 6 ps 2.4 lw 2.5 lc "black" title "support vector"
